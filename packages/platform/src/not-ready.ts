// Whether this server takes new work: the first reason why not. Pure but for what it is given; asked by `/readyz`.
import type { NotReadyReason } from '@srs-stack/contract/values/readiness.ts';

export interface ReadinessFacts {
  readonly isStopping: boolean;
  readonly isStarted: boolean;
  readonly isDraining: boolean;
  /** Whether the store has been away for so long that no publisher is let in. A short while is no reason: it would take all servers out at once. */
  readonly isStoreAwayTooLong: boolean;
  /** Of the last look; false for the gateways of this server, which answer themselves. */
  readonly isMediaServerAway: boolean;
}

/** Undefined while new work is taken. */
export function notReadyReason(facts: ReadinessFacts): NotReadyReason | undefined {
  if (facts.isStopping) return 'stopping';
  if (!facts.isStarted) return 'starting';
  if (facts.isDraining) return 'draining';
  if (facts.isStoreAwayTooLong) return 'storeAway';
  return facts.isMediaServerAway ? 'mediaServerAway' : undefined;
}
