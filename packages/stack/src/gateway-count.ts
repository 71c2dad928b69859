// Number of gateways of a node. Each has one media thread; they share the public ports.
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import type { Environment } from './environment.ts';

/** Maximum number of gateways of a node. Each is connected to every other one and queries all of them for missing streams. */
export const maxGateways = 16;

/**
 * `GATEWAYS`: a number, or `auto` for one per two cores, which leaves cores to FFmpeg and the control plane. Default 1.
 * @throws StartRefusal for any other value.
 */
export function gatewayCount({ GATEWAYS: text = '1', MEDIA_SERVER: mediaServer }: Environment, cores: number): number {
  const wanted = text.trim().toLowerCase() === 'auto' ? Math.floor(cores / 2) || 1 : Number(text);
  if (!Number.isInteger(wanted) || wanted < 1) {
    throw new StartRefusal(`Cannot start: GATEWAYS must be a number from 1 to ${maxGateways}, or auto, not "${text}".`);
  }
  // With an external media server one gateway is enough, because the gateway only proxies.
  return mediaServer === 'srs' ? 1 : Math.min(wanted, maxGateways);
}
