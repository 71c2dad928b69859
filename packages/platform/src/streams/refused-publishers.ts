// The latest publishers refused by this control plane. Needed for an SRS, which keeps no list of refusals.
import { AppError, maxRefusals, type Refusal, type RefusalReason, type StreamEvent } from '@srs-stack/contract';

const reasons: Partial<Record<string, RefusalReason>> = {
  publishSecretWrong: 'publish-secret-wrong',
  streamNameInvalid: 'name-invalid',
  callbackRefused: 'callback-refused',
  streamBusy: 'stream-busy',
  usageLimitReached: 'usage-limit',
  serverDraining: 'draining',
};

export interface RefusedPublishers {
  /** @param error error of the authorization. Errors other than refusals are ignored. */
  note(event: StreamEvent, error: unknown): void;
  /** Newest first. */
  list(): Refusal[];
}

export function createRefusedPublishers(now: () => Date): RefusedPublishers {
  const kept: Refusal[] = [];
  return {
    note({ ip, app, stream }, error) {
      const reason = error instanceof AppError ? reasons[error.errorName] : undefined;
      if (reason === undefined) return;
      // `protocol` is empty: the media server does not report it. `detail` is empty: the message of a callback target may contain anything.
      kept.unshift({ at: now().toISOString(), protocol: '', action: 'publish', ip, app, stream, reason, detail: '' });
      kept.length = Math.min(kept.length, maxRefusals);
    },
    list: () => [...kept],
  };
}
