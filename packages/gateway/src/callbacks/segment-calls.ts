// Finished HLS segments, told to a control plane that takes many in one call: all that end within a quarter of a second go along. One
// that says nothing of that is told of each by itself, as SRS does.
import { segmentCallMs } from './callback-limits.ts';
import { type CallbackOutcome, segmentsPerCallOf } from './callback-verdict.ts';

/** Tells of segments, one or as many as the control plane takes. Must not reject. */
export type PostSegments<T> = (segments: readonly T[]) => Promise<CallbackOutcome>;

interface OpenCall<T> {
  readonly segments: T[];
  readonly outcome: Promise<CallbackOutcome>;
  /** Makes the call now. */
  leave(): void;
}

export class SegmentCalls<T> {
  readonly #post: PostSegments<T>;
  readonly #everyMs: number;
  /** As the control plane said last. */
  #perCall = 1;
  #open: OpenCall<T> | undefined;
  #isClosed = false;

  constructor(post: PostSegments<T>, everyMs = segmentCallMs) {
    this.#post = post;
    this.#everyMs = everyMs;
  }

  /** Resolves with the answer to the call the segment went along in. */
  tell(segment: T): Promise<CallbackOutcome> {
    if (this.#perCall === 1 || this.#isClosed) return this.#call([segment]);
    const call = this.#open ?? this.#gather();
    this.#open = call;
    call.segments.push(segment);
    if (call.segments.length >= this.#perCall) call.leave();
    return call.outcome;
  }

  /** Somebody waits for what is gathered. */
  hurry(): void {
    this.#open?.leave();
  }

  /** From now on nothing waits for company. */
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
    // An older release has taken the place of the one that took many: each is told again, by itself.
    const isUnknown = segments.length > 1 && outcome.status === 404;
    return isUnknown
      ? { kind: 'away', timedOut: false, detail: 'the control plane takes one segment in a call' }
      : outcome;
  }
}
