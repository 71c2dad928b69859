// Dependencies of the admission of publishers, and the reporting of its refusals.
import type { PublishResult, StreamHub } from '../../hub/stream-hub.ts';
import type { EnginePorts } from '../../ports.ts';
import type { RefusalReason, SessionInfo } from '../../session-info.ts';
import type { Refusals } from './refusals.ts';

export interface PublishGate {
  readonly hub: StreamHub;
  readonly ports: Pick<EnginePorts, 'isValidStream' | 'authorizePublish' | 'onUnpublish' | 'origins'>;
  readonly refusals: Pick<Refusals, 'report'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export const invalidName = 'the stream address has characters that are not allowed';

/** Returns a function that reports refusals of this session. */
export function refusalOf(
  session: SessionInfo,
  { refusals }: Pick<PublishGate, 'refusals'>,
): (reason: RefusalReason, detail: string) => PublishResult {
  return (reason, detail) => {
    refusals.report(session, reason, detail);
    return { ok: false, reason, detail };
  };
}
