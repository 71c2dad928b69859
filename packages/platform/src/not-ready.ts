// Whether this server is ready; otherwise the first reason. `/readyz` calls it. Pure.
import type { NotReadyReason } from '@srs-stack/contract/values/readiness.ts';

export interface ReadinessFacts {
  readonly isStopping: boolean;
  readonly isStarted: boolean;
  readonly isDraining: boolean;
  /**
   * Whether the store has been unavailable for so long that publishers are refused. Short outages do not count, because they would remove
   * all servers from a load balancer.
   */
  readonly isStoreAwayTooLong: boolean;
  /** Whether the last sample found the external SRS unavailable. Always false with built-in gateways: each checks its own readiness. */
  readonly isMediaServerAway: boolean;
}

/** The reason why the server is not ready; undefined while it is ready. */
export function notReadyReason(facts: ReadinessFacts): NotReadyReason | undefined {
  if (facts.isStopping) return 'stopping';
  if (!facts.isStarted) return 'starting';
  if (facts.isDraining) return 'draining';
  if (facts.isStoreAwayTooLong) return 'storeAway';
  return facts.isMediaServerAway ? 'mediaServerAway' : undefined;
}
