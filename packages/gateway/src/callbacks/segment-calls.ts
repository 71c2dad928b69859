// Notices of finished HLS segments. If the control plane accepts several segments per call, segments that finish within a quarter of a
// second share a call. If not, each segment has a separate call, as with SRS.
import { segmentCallMs } from './callback-limits.ts';
import { type CallbackOutcome, segmentsPerCallOf } from './callback-verdict.ts';

/** Reports segments, at most the number that the control plane accepts. Must not reject. */
export type PostSegments<T> = (segments: readonly T[]) => Promise<CallbackOutcome>;

interface OpenCall<T> {
  readonly segments: T[];
  readonly outcome: Promise<CallbackOutcome>;
  leave(): void;
}

export class SegmentCalls<T> {
  readonly #post: PostSegments<T>;
  readonly #everyMs: number;
  /** Maximum number of segments per call, from the last response of the control plane. */
  #perCall = 1;
  #open: OpenCall<T> | undefined;
  #isClosed = false;

  constructor(post: PostSegments<T>, everyMs = segmentCallMs) {
    this.#post = post;
    this.#everyMs = everyMs;
  }

  /** Resolves with the result of the call that contains the segment. */
  report(segment: T): Promise<CallbackOutcome> {
    if (this.#perCall === 1 || this.#isClosed) return this.#call([segment]);
    const call = this.#open ?? this.#gather();
    this.#open = call;
    call.segments.push(segment);
    if (call.segments.length >= this.#perCall) call.leave();
    return call.outcome;
  }

  /** Sends the batch immediately, because other notices or a new publisher wait for the batch. */
  hurry(): void {
    this.#open?.leave();
  }

  /** Stops batching. */
  close(): void {
    this.#isClosed = true;
    this.hurry();
  }

  #gather(): OpenCall<T> {
    const segments: T[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => call.leave(), this.#everyMs).unref();
    const call: OpenCall<T> = {
      segments,
      outcome: promise.then(() => this.#call(segments)),
      leave: () => {
        clearTimeout(timer);
        if (this.#open === call) this.#open = undefined;
        resolve();
      },
    };
    return call;
  }

  async #call(segments: readonly T[]): Promise<CallbackOutcome> {
    const outcome = await this.#post(segments);
    if (outcome.kind === 'away') return outcome;
    this.#perCall = segmentsPerCallOf(outcome);
    // An older release of the control plane accepts no batches. `away` causes a retry with one segment per call.
    const isUnknown = segments.length > 1 && outcome.status === 404;
    return isUnknown
      ? { kind: 'away', timedOut: false, detail: 'the control plane accepts only one segment per call' }
      : outcome;
  }
}
