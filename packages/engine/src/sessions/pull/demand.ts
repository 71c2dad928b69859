// Whether a pull on demand is wanted, and who waits for it to begin. It is wanted while somebody watches, and for a while afterwards.

/** A pull without viewers goes on for this time, milliseconds: for viewers that reload the page or change the protocol. */
const unwatchedMs = 10_000;

export interface DemandDeps {
  /** Whether the stream has viewers, of any protocol, or is sent somewhere. */
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

  /** It would only be refused. */
  get isTaken(): boolean {
    return this.#deps.isTaken();
  }

  /** A viewer asks for the stream, and asks again within `forMs` while it watches. */
  request(now: number, forMs = 0): void {
    this.#wantedUntilMs = Math.max(this.#wantedUntilMs, now + unwatchedMs + forMs);
  }

  /** Calls back when the stream has begun or the attempt has failed; returns a function that unsubscribes. */
  onSettled(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  settle(): void {
    for (const callback of [...this.#waiting]) callback();
  }
}
