// Types of a test of a push target: the order from the host, and the result.
import type { PushStep } from '../push-connection.ts';
import type { PushFailure, PushOrder } from '../push-status.ts';

/**
 * `nothing`: only connect. `publish`: also request publishing, which checks the stream key. `media`: also send two seconds of black video.
 */
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
  /** Steps in the order of execution. */
  readonly steps: readonly { readonly step: PushTestStep; readonly state: PushTestState; readonly ms: number }[];
  readonly failure: PushFailure | undefined;
  /** FourCCs of the video codecs that the target announces. Undefined without an announcement, or when the test failed earlier. */
  readonly fourCcs: readonly string[] | undefined;
}
