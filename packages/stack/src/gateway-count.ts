// Number of gateways of a node. Each gateway has one media thread. All share the public ports, except the ports of WebRTC.
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import type { Environment } from './environment.ts';

/** Maximum number of gateways of a node. Each gateway is connected to all others, and queries them for missing streams. */
export const maxGateways = 16;

/**
 * Parses `GATEWAYS`: a number (default 1), or `auto` for one gateway per two cores. The remaining cores are for FFmpeg and the control
 * plane.
 * @throws StartRefusal for any other value.
 */
export function gatewayCount({ GATEWAYS: text = '1', MEDIA_SERVER: mediaServer }: Environment, cores: number): number {
  const wanted = text.trim().toLowerCase() === 'auto' ? Math.floor(cores / 2) || 1 : Number(text);
  if (!Number.isInteger(wanted) || wanted < 1) {
    throw new StartRefusal(`Cannot start: GATEWAYS must be a number from 1 to ${maxGateways}, or auto, not "${text}".`);
  }
  // With an external media server, the gateway only proxies, so one is enough.
  return mediaServer === 'srs' ? 1 : Math.min(wanted, maxGateways);
}
