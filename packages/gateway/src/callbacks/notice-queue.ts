// Queue of notices: callbacks that report an event and need no verdict (on_unpublish, on_stop, on_hls). Delivers the notices of each stream
// in order, and resends them while the control plane restarts. Number and age are limited.
import { maxNoticeAgeMs, maxNotices, maxNoticesPerStream, noticeRetryMs } from './callback-limits.ts';

/** Sends one notice. Resolves with false to request a retry. Must not reject. */
export type Deliver<T> = (notice: T) => Promise<boolean>;

interface Waiting<T> {
  readonly notice: T;
  readonly since: number;
}

interface Lane<T> {
  readonly waiting: Waiting<T>[];
  /** Called after a failed attempt, so that callers of `flush` stop waiting. */
  readonly onFailure: Set<() => void>;
  retryMs: number;
  /** Ends the delay before the next attempt; undefined while there is no delay. */
  wake: (() => void) | undefined;
  done: Promise<void>;
}

export class NoticeQueue<T> {
  readonly #deliver: Deliver<T>;
  readonly #now: () => number;
  readonly #lanes = new Map<string, Lane<T>>();
  #count = 0;
  #dropped = 0;
  #closed = false;

  constructor(deliver: Deliver<T>, now: () => number = Date.now) {
    this.#deliver = deliver;
    this.#now = now;
  }

  get size(): number {
    return this.#count;
  }

  get dropped(): number {
    return this.#dropped;
  }

  push(laneKey: string, notice: T): void {
    if (this.#closed) return;
    if (this.#count >= maxNotices) {
      this.#dropped += 1;
      return;
    }
    const lane = this.#lanes.get(laneKey);
    if (lane) this.#append(lane, notice);
    else this.#open(laneKey, notice);
  }

  /**
   * Sends the queued notices of a stream immediately. Resolves when the queue is empty or an attempt has failed. A new publisher waits for
   * this call, so that the previous publisher's end is reported first.
   */
  async flush(laneKey: string): Promise<void> {
    const lane = this.#lanes.get(laneKey);
    if (!lane) return;
    const failed = new Promise<void>((resolve) => lane.onFailure.add(resolve));
    lane.wake?.();
    await Promise.race([lane.done, failed]);
  }

  /** Tries to send all queued notices once more, for at most `timeoutMs`. Then discards the remaining notices. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true;
    const flushed = Promise.all([...this.#lanes.keys()].map((key) => this.flush(key)));
    await Promise.race([flushed, new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref())]);
    for (const lane of this.#lanes.values()) {
      this.#count -= lane.waiting.length;
      lane.waiting.length = 0;
      lane.wake?.();
    }
  }

  #open(laneKey: string, notice: T): void {
    const lane: Lane<T> = {
      waiting: [],
      onFailure: new Set(),
      retryMs: noticeRetryMs.first,
      wake: undefined,
      done: Promise.resolve(),
    };
    this.#lanes.set(laneKey, lane);
    this.#append(lane, notice);
    lane.done = this.#run(laneKey, lane);
  }

  #append(lane: Lane<T>, notice: T): void {
    if (lane.waiting.length >= maxNoticesPerStream) this.#drop(lane);
    lane.waiting.push({ notice, since: this.#now() });
    this.#count += 1;
  }

  #drop(lane: Lane<T>): void {
    if (lane.waiting.shift()) this.#count -= 1;
    this.#dropped += 1;
  }

  async #run(laneKey: string, lane: Lane<T>): Promise<void> {
    for (let head = lane.waiting[0]; head; head = lane.waiting[0]) {
      if (this.#now() - head.since > maxNoticeAgeMs) this.#drop(lane);
      else if (await this.#deliver(head.notice)) this.#delivered(lane, head);
      else await this.#pause(lane);
    }
    this.#lanes.delete(laneKey);
  }

  #delivered(lane: Lane<T>, head: Waiting<T>): void {
    lane.retryMs = noticeRetryMs.first;
    // `head` may have been dropped during the delivery.
    if (lane.waiting[0] !== head) return;
    lane.waiting.shift();
    this.#count -= 1;
  }

  async #pause(lane: Lane<T>): Promise<void> {
    for (const stopWaiting of lane.onFailure) stopWaiting();
    lane.onFailure.clear();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lane.retryMs).unref();
      lane.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    lane.wake = undefined;
    lane.retryMs = Math.min(lane.retryMs * 2, noticeRetryMs.most);
  }
}
