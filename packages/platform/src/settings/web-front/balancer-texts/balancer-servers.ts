// Inputs and common parts of all load balancer configurations.
import { addressOf, type Backend } from '../balancer-backends.ts';

export interface BalancedServers {
  /** HTTP or HTTPS addresses. All servers use one protocol. */
  readonly backends: readonly Backend[];
  /** RTMP port of every server; null while RTMP is off. */
  readonly rtmpPort: number | null;
  /** Port of RTSP over TCP. RTSP over TLS and media over UDP bypass the load balancer. */
  readonly rtspPort: number | null;
  readonly srtPort: number | null;
  readonly rtcPort: number | null;
}

/** Ports of the load balancer: the default ports of the product. */
export const publicPorts = { rtmp: 1935, rtsp: 8554, srt: 10_080 };
/** Interval of readiness checks, seconds. A draining server gets no new clients after at most two failed checks. */
export const checkSeconds = 2;
/** Idle timeout of HTTP-FLV viewers and WebSockets, hours. Viewers stay connected while a publisher pauses. */
export const quietHours = 1;

export function protocolOf({ backends }: BalancedServers): Backend['protocol'] {
  return backends[0]?.protocol ?? 'http';
}

/** Address of each server, e.g. `10.0.0.5:1935`. */
export function addressesAt({ backends }: BalancedServers, port: number): string[] {
  return backends.map(({ host }) => `${host}:${port}`);
}

export function webAddresses({ backends }: BalancedServers): string[] {
  return backends.map(addressOf);
}

/** Comment lines about starting the servers, and about the path of WebRTC media. */
export function commonNotes({ rtcPort }: BalancedServers): string {
  return [
    '# Start the servers with TRUST_PROXY set to the address of this machine: then they trust its X-Forwarded-For, -Proto and -Host headers',
    '# and see the address of each viewer. These headers from clients are not forwarded.',
    rtcPort === null
      ? '# WebRTC is switched off on the servers.'
      : '# WHIP and WHEP calls pass through here, their media goes directly to the server. So every server needs CANDIDATE with its\n' +
        `# public address, and UDP port ${rtcPort} (with GATEWAYS=n, n ports from there on) open to the internet.`,
  ].join('\n');
}
