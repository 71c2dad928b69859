// How many gateways a node runs: each has a thread for media, and they share the public ports.
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import type { Environment } from './environment.ts';

/** Gateways a node runs at most: each holds a connection to every other, and asks all of them for what it does not have. */
export const maxGateways = 16;

/**
 * `GATEWAYS`: a number, or `auto` for one per two cores, so that FFmpeg and the control plane have theirs. One unless it is set.
 * @throws StartRefusal when it is neither.
 */
export function gatewayCount({ GATEWAYS: text = '1', MEDIA_SERVER: mediaServer }: Environment, cores: number): number {
  const wanted = text.trim().toLowerCase() === 'auto' ? Math.floor(cores / 2) || 1 : Number(text);
  if (!Number.isInteger(wanted) || wanted < 1) {
    throw new StartRefusal(`Cannot start: GATEWAYS must be a number from 1 to ${maxGateways}, or auto, not "${text}".`);
  }
  // In front of another media server one is enough: it only passes on.
  return mediaServer === 'srs' ? 1 : Math.min(wanted, maxGateways);
}
