// Limits concurrent work, in total and per address. Further work waits in a queue that serves addresses in turn, so that an address with a
// thousand requests does not delay others. Independent of HTTP.
import { everybody } from '@srs-stack/process/turn-queue.ts';

export interface LaneLimits {
  readonly most: number;
  readonly mostPerAddress: number;
  readonly mostWaiting: number;
  readonly mostWaitingPerAddress: number;
}

export interface Place {
  /** Frees the place or cancels waiting. Idempotent. */
  readonly leave: () => void;
}

interface Entry extends Place {
  readonly key: string;
  readonly start: (place: Place) => void;
  state: 'waiting' | 'running' | 'left';
}

export class Lane {
  readonly #limits: LaneLimits;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  #waiting = 0;
  /** Waiting entries by address. Addresses are served in the order of the map. */
  readonly #waitingOf = new Map<string, Set<Entry>>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /**
   * Calls `start` immediately or when a place is free.
   * @param key of the client (`addressKey`).
   * @returns undefined when the queue is full. `start` is then never called.
   */
  enter(key: string, start: (place: Place) => void): Place | undefined {
    const entry: Entry = { key, start, state: 'waiting', leave: () => this.#leave(entry) };
    if (this.#mayRun(key)) {
      this.#run(entry);
      return entry;
    }
    const { mostWaiting, mostWaitingPerAddress } = this.#limits;
    const queue = this.#waitingOf.get(key) ?? new Set();
    const isFull = this.#waiting >= mostWaiting || (key !== everybody && queue.size >= mostWaitingPerAddress);
    if (isFull) return undefined;
    this.#waitingOf.set(key, queue.add(entry));
    this.#waiting += 1;
    return entry;
  }

  #mayRun(key: string): boolean {
    if (this.#running >= this.#limits.most) return false;
    return key === everybody || (this.#runningOf.get(key) ?? 0) < this.#limits.mostPerAddress;
  }

  #run(entry: Entry): void {
    entry.state = 'running';
    this.#running += 1;
    this.#runningOf.set(entry.key, (this.#runningOf.get(entry.key) ?? 0) + 1);
    entry.start(entry);
  }

  #leave(entry: Entry): void {
    const { key, state } = entry;
    entry.state = 'left';
    if (state === 'waiting') this.#forget(entry);
    if (state !== 'running') return;
    this.#running -= 1;
    const left = (this.#runningOf.get(key) ?? 1) - 1;
    if (left > 0) this.#runningOf.set(key, left);
    else this.#runningOf.delete(key);
    this.#runNext();
  }

  #forget(entry: Entry): void {
    const queue = this.#waitingOf.get(entry.key);
    if (!queue?.delete(entry)) return;
    this.#waiting -= 1;
    if (queue.size === 0) this.#waitingOf.delete(entry.key);
  }

  #runNext(): void {
    for (const [key, queue] of this.#waitingOf) {
      if (!this.#mayRun(key)) continue;
      const [next] = queue;
      if (!next) continue;
      this.#forget(next);
      if (this.#waitingOf.delete(key)) this.#waitingOf.set(key, queue);
      this.#run(next);
      return;
    }
  }
}
