// The listeners of the product that the matrix of slow peers attacks, with the settings that enable them and the attack data.
// `listeners.test.ts` fails for a configured listener that is missing here.
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { freePort } from '../free-port.ts';
import type { Product } from '../product.ts';
import { type AttackRow, handshake, rtcTcp, rtmp, rtmpPlayer, rtp, rtsp, rtspPlayer, srt, stun, web } from './rows.ts';

export interface AttackedListener {
  readonly variable: string;
  /** Key of the port in `run/ports.json`. Without a key, the test chooses the port. */
  readonly bound?: keyof BoundPorts;
  readonly isLoopbackOnly?: true;
  readonly needsCluster?: true;
  readonly rows: readonly AttackRow[];
}

export const listeners: readonly AttackedListener[] = [
  { variable: 'MGMT_LISTEN', bound: 'http', rows: [web('tcp')] },
  { variable: 'HTTPS_LISTEN', bound: 'https', rows: [web('tls'), handshake] },
  { variable: 'RTMP_LISTEN', bound: 'rtmp', rows: [rtmp('tcp'), rtmpPlayer('tcp')] },
  { variable: 'RTMPS_LISTEN', bound: 'rtmps', rows: [rtmp('tls'), handshake] },
  { variable: 'RTSP_LISTEN', bound: 'rtsp', rows: [rtsp('tcp'), rtspPlayer('tcp')] },
  { variable: 'RTSPS_LISTEN', bound: 'rtsps', rows: [rtsp('tls'), handshake] },
  { variable: 'RTSP_UDP_LISTEN', bound: 'rtspUdp', rows: [rtp] },
  { variable: 'SRT_LISTEN', bound: 'srt', rows: [srt] },
  { variable: 'RTC_LISTEN', bound: 'rtc', rows: [stun] },
  { variable: 'RTC_TCP_LISTEN', rows: [rtcTcp] },
  { variable: 'SRS_API_LISTEN', bound: 'srsApi', isLoopbackOnly: true, rows: [web('tcp')] },
  { variable: 'CLUSTER_LISTEN', needsCluster: true, rows: [web('tls'), handshake] },
];

/** Configured listeners that attackers cannot reach, with the reason. */
export const unattacked: Readonly<Record<string, string>> = {
  PLATFORM_LISTEN: 'a Unix socket in the data folder, or loopback: the gateway alone connects',
};

/** Environment of the product that enables every listener. */
export async function environmentOfListeners(isCluster: boolean): Promise<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const { variable, bound, isLoopbackOnly, needsCluster } of listeners) {
    if (needsCluster && !isCluster) continue;
    const port = bound ? '0' : String(await freePort());
    environment[variable] = isLoopbackOnly ? `127.0.0.1:${port}` : port;
    // Leaves the next port free for a second gateway.
    if (!bound) await freePort();
  }
  return environment;
}

/** Listeners of a product, with their ports. */
export function portsOfListeners(
  product: Product,
  environment: Readonly<Record<string, string>>,
): Map<AttackedListener, number> {
  const found = new Map<AttackedListener, number>();
  for (const listener of listeners) {
    if (listener.needsCluster && !environment[listener.variable]) continue;
    const port = listener.bound ? product.ports[listener.bound] : Number(environment[listener.variable]);
    if (!port) throw new Error(`${listener.variable} was not bound`);
    found.set(listener, port);
  }
  return found;
}
