// Decides whether an on-demand pull must run: while it has viewers, and for a while afterwards. Notifies viewers that wait for its start.

/** A pull continues for this time without viewers, milliseconds, for viewers that reload the page or change the protocol. */
const unwatchedMs = 10_000;

export interface DemandDeps {
  /** Whether the stream has viewers or is sent to another server. */
  readonly isWatched: () => boolean;
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

  /** Whether another publisher sends the stream. The pull would then be refused. */
  get isTaken(): boolean {
    return this.#deps.isTaken();
  }

  /** Requests the stream for a viewer. @param forMs the viewer repeats the request within this time. */
  request(now: number, forMs = 0): void {
    this.#wantedUntilMs = Math.max(this.#wantedUntilMs, now + unwatchedMs + forMs);
  }

  /** Calls back when the stream has started or the attempt has failed. Returns a function that unsubscribes. */
  onSettled(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  settle(): void {
    for (const callback of [...this.#waiting]) callback();
  }
}
