// Decides whether an on-demand pull must run: while it has viewers, and for a while afterwards. Notifies viewers that wait for its start.

/** A pull without viewers continues for this time, milliseconds, for viewers that reload the page or change the protocol. */
const unwatchedMs = 10_000;

export interface DemandDeps {
  /** Whether the stream has viewers, over any protocol, or is sent to a target. */
  readonly isWatched: () => boolean;
  /** Whether another publisher sends the stream. */
  readonly isTaken: () => boolean;
}

export class Demand {
  readonly #deps: DemandDeps;
  readonly #waiting = new Set<() => void>();
  #wantedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(deps: DemandDeps) {
    this.#deps = deps;
  }

  isWanted(now: number): boolean {
    if (this.#deps.isWatched()) this.request(now);
    return now < this.#wantedUntilMs;
  }

  /** Whether another publisher sends the stream, so that the pull would be refused. */
  get isTaken(): boolean {
    return this.#deps.isTaken();
  }

  /** A viewer requests the stream, and repeats the request within `forMs` while it watches. */
  request(now: number, forMs = 0): void {
    this.#wantedUntilMs = Math.max(this.#wantedUntilMs, now + unwatchedMs + forMs);
  }

  /** Calls back when the stream has started or the attempt has failed; returns a function that unsubscribes. */
  onSettled(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  settle(): void {
    for (const callback of [...this.#waiting]) callback();
  }
}
