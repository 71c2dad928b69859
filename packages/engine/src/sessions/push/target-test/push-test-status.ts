// A test of a target: what the host orders, and what it can read of it.
import type { PushStep } from '../push-connection.ts';
import type { PushFailure, PushOrder } from '../push-status.ts';

/** `nothing`: connect only. `publish`: also ask to publish, which checks the key. `media`: also send two seconds of black video. */
type PushTestSends = 'nothing' | 'publish' | 'media';

export interface PushTestOrder extends Pick<PushOrder, 'id' | 'server' | 'key'> {
  readonly sends: PushTestSends;
}

export type PushTestStep = PushStep | 'publish' | 'media';
/** `skipped`: an earlier step failed. */
export type PushTestState = 'pending' | 'passed' | 'failed' | 'skipped';

export interface PushTestSnapshot {
  readonly id: string;
  readonly isDone: boolean;
  /** In the order in which they are made. */
  readonly steps: readonly { readonly step: PushTestStep; readonly state: PushTestState; readonly ms: number }[];
  readonly failure: PushFailure | undefined;
  /** Video codecs that the target announces, by FourCC; undefined when it announces none, or was not asked. */
  readonly fourCcs: readonly string[] | undefined;
}
