// The ports to open in a firewall, as operators write them. RTMP and SRT are read back from the address, so that both
// always agree.
import type { AddressSet, Environment } from '@srs-stack/contract';
import { defaultRtcPort, defaultRtmpPort } from '@srs-stack/contract/constants.ts';
import { srtParts } from './srt-parts.ts';

/** `TCP/1935`. */
export function rtmpFirewallPort({ rtmpServer }: Pick<AddressSet, 'rtmpServer'>): string {
  return `TCP/${/:(\d+)\/[^:]*$/.exec(rtmpServer)?.[1] ?? defaultRtmpPort}`;
}

/** `TCP/8554`. */
export function rtspFirewallPort({ rtspPort }: Pick<Environment, 'rtspPort'>): string {
  return `TCP/${rtspPort ?? ''}`;
}

/** `UDP/10080`. */
export function srtFirewallPort(addresses: Pick<AddressSet, 'srtPublishUrl' | 'srtPlayUrl'>): string {
  return `UDP/${srtParts(addresses).port}`;
}

/** `UDP/8000`. */
export function rtcFirewallPort({ rtcPort }: Pick<Environment, 'rtcPort'>): string {
  return `UDP/${rtcPort || defaultRtcPort}`;
}
