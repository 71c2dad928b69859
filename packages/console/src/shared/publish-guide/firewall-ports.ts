// Ports to open in a firewall. RTMP and SRT ports are parsed from the displayed addresses, so that ports and addresses always agree.
import type { AddressSet, Environment } from '@srs-stack/contract';
import { defaultRtcPort, defaultRtmpPort } from '@srs-stack/contract/constants.ts';
import { srtParts } from './srt-parts.ts';

/** Returns, for example, `TCP/1935`. */
export function rtmpFirewallPort({ rtmpServer }: Pick<AddressSet, 'rtmpServer'>): string {
  return `TCP/${/:(\d+)\/[^:]*$/.exec(rtmpServer)?.[1] ?? defaultRtmpPort}`;
}

/** Returns, for example, `TCP/8554`. */
export function rtspFirewallPort({ rtspPort }: Pick<Environment, 'rtspPort'>): string {
  return `TCP/${rtspPort ?? ''}`;
}

/** Returns, for example, `UDP/10080`. */
export function srtFirewallPort(addresses: Pick<AddressSet, 'srtPublishUrl' | 'srtPlayUrl'>): string {
  return `UDP/${srtParts(addresses).port}`;
}

/** Returns, for example, `UDP/8000`. */
export function rtcFirewallPort({ rtcPort }: Pick<Environment, 'rtcPort'>): string {
  return `UDP/${rtcPort || defaultRtcPort}`;
}
