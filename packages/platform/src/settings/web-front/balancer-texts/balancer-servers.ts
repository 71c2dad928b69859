// What the texts of all load balancers are made from, and what they say alike. Pure.
import { addressOf, type Backend } from '../balancer-backends.ts';

export interface BalancedServers {
  /** HTTP of each server; one protocol for all. */
  readonly backends: readonly Backend[];
  /** The same on every server; null where a protocol is switched off. */
  readonly rtmpPort: number | null;
  readonly srtPort: number | null;
  readonly rtcPort: number | null;
}

/** Where media come in at the balancer: the product's own default ports. */
export const publicPorts = { rtmp: 1935, srt: 10_080 };
/** Seconds between two looks whether a server takes new work: a drained one gets nobody new after two of them. */
export const checkSeconds = 2;
/** Viewers of HTTP-FLV and idle WebSockets may be silent for so long, hours: a stream whose publisher pauses keeps its viewers. */
export const quietHours = 1;

export function protocolOf({ backends }: BalancedServers): Backend['protocol'] {
  return backends[0]?.protocol ?? 'http';
}

/** `10.0.0.5:1935` of each server. */
export function addressesAt({ backends }: BalancedServers, port: number): string[] {
  return backends.map(({ host }) => `${host}:${port}`);
}

export function webAddresses({ backends }: BalancedServers): string[] {
  return backends.map(addressOf);
}

/** Comment lines: how the servers must be started, and where WebRTC goes. */
export function commonNotes({ rtcPort }: BalancedServers): string {
  return [
    '# Start the servers with TRUST_PROXY set to the address of this machine: then they believe its X-Forwarded-For, -Proto and -Host,',
    '# and know the address of each viewer. What clients send under these names does not pass.',
    rtcPort === null
      ? '# WebRTC is switched off on the servers.'
      : '# WHIP and WHEP calls pass here, their media do not: the answer names the server itself. So every server needs CANDIDATE with its\n' +
        `# public address, and UDP port ${rtcPort} (with GATEWAYS=n, n ports from there on) open to the internet.`,
  ].join('\n');
}
