// Decides when a request or a handshake may begin: bounded per turn of the event loop, so that media and other connections run in
// between, and per second. Addresses take turns. Work that exceeds a bound waits; none is refused here.
import { AsyncLocalStorage } from 'node:async_hooks';
import { everybody } from './address-key.ts';

export interface TurnLimits {
  /** Begun in one turn of the event loop. */
  readonly mostPerTurn: number;
  /** Fewer begin per turn while turns take longer than this, milliseconds: some work costs a thousand times as much as other work. */
  readonly turnMs?: number;
  /** Begun in one second; no limit without it. */
  readonly mostPerSecond?: number;
  /** The same of one address. */
  readonly mostPerSecondOfAddress: number;
}

/** Returns false when there was nothing left to do, which does not count. */
type Work = () => boolean;
type Waiting = Map<string, Set<Work>>;

/** The part of the usual number that still begins in long turns, which may have other causes than this work: a busy machine. */
const leastPace = 1 / 8;
/** Length of the window in which work is counted, milliseconds. */
const windowMs = 1_000;

export class TurnQueue {
  readonly #limits: TurnLimits;
  readonly #now: () => number;
  /** The address whose turn is next comes first. */
  readonly #waiting: Waiting = new Map();
  /** Addresses that have used up this second. */
  readonly #paced: Waiting = new Map();
  #begunOf = new Map<string, number>();
  #begunInWindow = 0;
  #window: NodeJS.Timeout | undefined;
  #begun = 0;
  #hasTurn = false;
  /** What may begin per turn now. */
  #pace: number;
  /** When the turn began that left work to the next one; undefined when nothing was left. */
  #lastTurnMs: number | undefined;
  /** Work that waited must not run as part of the session whose request happened to schedule the turn. */
  readonly #outsideSessions = AsyncLocalStorage.snapshot();

  /** @param now monotonic milliseconds. */
  constructor(limits: TurnLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#pace = limits.mostPerTurn;
  }

  /** Work that has not begun. */
  get waiting(): number {
    let count = 0;
    for (const queue of [this.#waiting, this.#paced]) for (const { size } of queue.values()) count += size;
    return count;
  }

  /** Begins at once when nothing else waits. @param key of the client (`addressKey`). */
  enter(key: string, work: Work): void {
    if (this.#waiting.size === 0 && this.#hasRoom() && this.#mayBegin(key)) {
      this.#requestTurn();
      this.#begun += 1;
      work();
    } else this.enterNextTurn(key, work);
  }

  /** Begins in the next turn at the earliest. */
  enterNextTurn(key: string, work: Work): void {
    const queue = this.#paced.has(key) ? this.#paced : this.#waiting;
    queue.set(key, (queue.get(key) ?? new Set()).add(work));
    this.#requestTurn();
  }

  #requestTurn(): void {
    if (this.#hasTurn) return;
    this.#hasTurn = true;
    setImmediate(() => this.#outsideSessions(this.#runTurn));
  }

  readonly #runTurn = (): void => {
    this.#hasTurn = false;
    this.#begun = 0;
    this.#adaptPace();
    try {
      while (this.#waiting.size > 0 && this.#hasRoom()) this.#runNext();
    } finally {
      // Also without work: what begins until then must not count for later turns. The next second requests a turn by itself.
      if (this.#begun > 0 || (this.#waiting.size > 0 && this.#hasRoom())) this.#requestTurn();
    }
  };

  /** Half as much after a turn that took too long, twice as much after one that did not. */
  #adaptPace(): void {
    const { mostPerTurn, turnMs = Number.POSITIVE_INFINITY } = this.#limits;
    const nowMs = this.#now();
    const isLate = this.#lastTurnMs !== undefined && nowMs - this.#lastTurnMs > turnMs;
    const least = Math.max(1, Math.floor(mostPerTurn * leastPace));
    this.#pace = isLate ? Math.max(least, Math.floor(this.#pace / 2)) : Math.min(mostPerTurn, this.#pace * 2);
    this.#lastTurnMs = this.#waiting.size > 0 ? nowMs : undefined;
  }

  #hasRoom(): boolean {
    const { mostPerSecond = Number.POSITIVE_INFINITY } = this.#limits;
    return this.#begun < this.#pace && this.#begunInWindow < mostPerSecond;
  }

  #runNext(): void {
    const [key, works] = this.#waiting.entries().next().value!;
    this.#waiting.delete(key);
    if (!this.#mayBegin(key)) {
      this.#paced.set(key, works);
      return;
    }
    const work = works.values().next().value!;
    works.delete(work);
    // Behind all other addresses.
    if (works.size > 0) this.#waiting.set(key, works);
    if (work()) this.#begun += 1;
  }

  #mayBegin(key: string): boolean {
    const begun = this.#begunOf.get(key) ?? 0;
    if (key !== everybody && begun >= this.#limits.mostPerSecondOfAddress) return false;
    this.#begunOf.set(key, begun + 1);
    this.#begunInWindow += 1;
    if (!this.#window) this.#window = setTimeout(() => this.#outsideSessions(this.#endWindow), windowMs).unref();
    return true;
  }

  readonly #endWindow = (): void => {
    this.#window = undefined;
    this.#begunOf = new Map();
    this.#begunInWindow = 0;
    for (const [key, works] of this.#paced) this.#waiting.set(key, works);
    this.#paced.clear();
    if (this.#waiting.size > 0) this.#requestTurn();
  };
}
