// Queue of notices: sequential per stream, parallel across streams. Calls do not wait for notices, with one exception: a publisher waits a
// limited time for earlier notices of the same stream.
import { maxNoticesPerStream, maxNoticesUnderWay, maxNoticesWaiting } from './callback-limits.ts';

interface Notice {
  readonly send: () => Promise<void>;
  readonly onDropped: (() => void) | undefined;
}

export class NoticeLanes {
  readonly #lanes = new Map<string, Notice[]>();
  /** Streams that have queued notices but no running notice, in order of arrival. */
  readonly #ready: string[] = [];
  readonly #busy = new Set<string>();
  readonly #idle = new Set<() => void>();
  #waiting = 0;
  #dropped = 0;

  get dropped(): number {
    return this.#dropped;
  }

  /** @param send must not reject. @param onDropped called instead of `send` when the queue is full or closed. */
  push(lane: string, send: () => Promise<void>, onDropped?: () => void): void {
    const notice = { send, onDropped };
    if (this.#waiting >= maxNoticesWaiting) {
      this.#drop(notice);
      return;
    }
    const waiting = this.#lanes.get(lane) ?? [];
    if (waiting.length >= maxNoticesPerStream) {
      this.#drop(waiting.shift()!);
      this.#waiting -= 1;
    }
    waiting.push(notice);
    this.#waiting += 1;
    if (!this.#lanes.has(lane)) {
      this.#lanes.set(lane, waiting);
      if (!this.#busy.has(lane)) this.#ready.push(lane);
    }
    this.#next();
  }

  async close(): Promise<void> {
    for (const notices of this.#lanes.values()) for (const { onDropped } of notices) onDropped?.();
    this.#lanes.clear();
    this.#ready.length = 0;
    this.#waiting = 0;
    if (this.#busy.size > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  /**
   * Resolves when this stream has no running or queued notice. Does not wait for notices that are added later. Resolves early when the queue
   * is full or closed.
   */
  async settled(lane: string): Promise<void> {
    if (!this.#busy.has(lane) && !this.#lanes.has(lane)) return;
    await new Promise<void>((resolve) => {
      this.push(lane, async () => resolve(), resolve);
    });
  }

  #drop({ onDropped }: Notice): void {
    this.#dropped += 1;
    onDropped?.();
  }

  #next(): void {
    while (this.#busy.size < maxNoticesUnderWay) {
      const lane = this.#ready.shift();
      if (lane === undefined) return;
      this.#send(lane);
    }
  }

  #send(lane: string): void {
    const waiting = this.#lanes.get(lane);
    const notice = waiting?.shift();
    if (!notice) return;
    this.#waiting -= 1;
    if (waiting?.length === 0) this.#lanes.delete(lane);
    this.#busy.add(lane);
    const finish = () => {
      this.#busy.delete(lane);
      if (this.#lanes.has(lane)) this.#ready.push(lane);
      this.#next();
      if (this.#busy.size === 0) for (const done of this.#idle) done();
    };
    // `send` reports failures itself, so the next notice follows in any case.
    notice.send().then(finish, finish);
  }
}
