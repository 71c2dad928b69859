// A test of a target: the host's order, and its status.
import type { PushStep } from '../push-connection.ts';
import type { PushFailure, PushOrder } from '../push-status.ts';

/** `nothing`: connect only. `publish`: also request publishing, which checks the key. `media`: also send two seconds of black video. */
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
  /** Steps in the order in which they are made. */
  readonly steps: readonly { readonly step: PushTestStep; readonly state: PushTestState; readonly ms: number }[];
  readonly failure: PushFailure | undefined;
  /** Video codecs that the target announces, by FourCC; undefined when it announces none, or the test did not get that far. */
  readonly fourCcs: readonly string[] | undefined;
}
