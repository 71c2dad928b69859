// Readiness of this server for `/readyz`: ready, or the first reason why not.
import type { NotReadyReason } from '@srs-stack/contract/values/readiness.ts';

export interface ReadinessFacts {
  readonly isStopping: boolean;
  readonly isStarted: boolean;
  readonly isDraining: boolean;
  /**
   * Whether the store is unavailable for so long that publishers are refused. A short outage does not count: otherwise, a load balancer
   * would remove all servers.
   */
  readonly isStoreAwayTooLong: boolean;
  /**
   * Whether the external SRS was unavailable at the last sample. False with built-in gateways, because each gateway checks its own
   * readiness.
   */
  readonly isMediaServerAway: boolean;
}

/** Returns the reason why the server is not ready; undefined while ready. */
export function notReadyReason(facts: ReadinessFacts): NotReadyReason | undefined {
  if (facts.isStopping) return 'stopping';
  if (!facts.isStarted) return 'starting';
  if (facts.isDraining) return 'draining';
  if (facts.isStoreAwayTooLong) return 'storeAway';
  return facts.isMediaServerAway ? 'mediaServerAway' : undefined;
}
