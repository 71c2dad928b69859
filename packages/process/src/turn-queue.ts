// Decides when a request or a handshake may start. Starts are limited per second and per turn of the event loop, so that media and other
// connections run between them. Client addresses take turns. Work above a limit waits, and is never refused.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface TurnLimits {
  readonly mostPerTurn: number;
  /**
   * Maximum duration of a turn, milliseconds. After a longer turn fewer starts are allowed, because work costs vary by a factor of a
   * thousand.
   */
  readonly turnMs?: number;
  readonly mostPerSecond?: number;
  readonly mostPerSecondOfAddress: number;
}

/** Key for clients without a per-address limit, such as a reverse proxy with the connections of many clients. */
export const everybody = '';

/** Returns false if there was nothing to do. A queued start of this kind does not count towards `mostPerTurn`. */
type Work = () => boolean;
type Waiting = Map<string, Set<Work>>;

/** Minimum share of `mostPerTurn` that may always start, because long turns may have other causes, such as a busy machine. */
const leastPace = 1 / 8;
/** Window in which starts are counted, milliseconds. */
const windowMs = 1_000;

export class TurnQueue {
  readonly #limits: TurnLimits;
  readonly #now: () => number;
  /** Queued work by address. The first address starts next. */
  readonly #waiting: Waiting = new Map();
  /** Queued work of addresses that have reached their limit in this second. */
  readonly #paced: Waiting = new Map();
  #begunOf = new Map<string, number>();
  #begunInWindow = 0;
  #window: NodeJS.Timeout | undefined;
  #begun = 0;
  #hasTurn = false;
  #pace: number;
  /** Time of the last turn, monotonic milliseconds. Undefined if no work was queued when that turn began. */
  #lastTurnMs: number | undefined;
  /** The context outside all sessions. Queued work must not run in the context of the session that requested the turn. */
  readonly #outsideSessions = AsyncLocalStorage.snapshot();

  /** @param now monotonic milliseconds. */
  constructor(limits: TurnLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#pace = limits.mostPerTurn;
  }

  get waiting(): number {
    let count = 0;
    for (const queue of [this.#waiting, this.#paced]) for (const { size } of queue.values()) count += size;
    return count;
  }

  /**
   * Starts work immediately if the queue is empty and no limit is reached. Otherwise queues the work.
   * @param key of the client: its address group, or `everybody`.
   */
  enter(key: string, work: Work): void {
    if (this.#waiting.size === 0 && this.#hasRoom() && this.#mayBegin(key)) {
      this.#requestTurn();
      this.#begun += 1;
      work();
    } else this.enterNextTurn(key, work);
  }

  /** Queues work that starts in the next turn at the earliest. */
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
      // Each turn resets the number of starts, so a turn is needed even if no work is queued. If the limit per second is reached, a timer
      // requests the next turn.
      if (this.#begun > 0 || (this.#waiting.size > 0 && this.#hasRoom())) this.#requestTurn();
    }
  };

  /** Halves the number of starts per turn after a long turn. Doubles the number after a short turn. */
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
