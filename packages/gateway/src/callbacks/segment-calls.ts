// Notices of finished HLS segments. A control plane that accepts several per call gets those of a quarter of a second in one call; one that
// does not state this gets one call per segment, as from SRS.
import { segmentCallMs } from './callback-limits.ts';
import { type CallbackOutcome, segmentsPerCallOf } from './callback-verdict.ts';

/** Reports segments: one, or as many as the control plane accepts. Must not reject. */
export type PostSegments<T> = (segments: readonly T[]) => Promise<CallbackOutcome>;

interface OpenCall<T> {
  readonly segments: T[];
  readonly outcome: Promise<CallbackOutcome>;
  /** Sends the batch now. */
  leave(): void;
}

export class SegmentCalls<T> {
  readonly #post: PostSegments<T>;
  readonly #everyMs: number;
  /** As the control plane's last response stated. */
  #perCall = 1;
  #open: OpenCall<T> | undefined;
  #isClosed = false;

  constructor(post: PostSegments<T>, everyMs = segmentCallMs) {
    this.#post = post;
    this.#everyMs = everyMs;
  }

  /** Resolves with the result of the call that contains the segment. */
  tell(segment: T): Promise<CallbackOutcome> {
    if (this.#perCall === 1 || this.#isClosed) return this.#call([segment]);
    const call = this.#open ?? this.#gather();
    this.#open = call;
    call.segments.push(segment);
    if (call.segments.length >= this.#perCall) call.leave();
    return call.outcome;
  }

  /** Sends the batch now because a caller waits for it. */
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
    // An older release has replaced the control plane that accepts batches: each segment is resent in its own call.
    const isUnknown = segments.length > 1 && outcome.status === 404;
    return isUnknown
      ? { kind: 'away', timedOut: false, detail: 'the control plane accepts one segment per call' }
      : outcome;
  }
}
