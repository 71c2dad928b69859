// Schedules the parsing of received data. Each connection gets a part in every turn of the event loop, so that a full buffer of tiny
// messages delays no other connection. The reader does the first part immediately, this module does the rest.

/** Does a part of the work; false when that was the last one. */
export type WorkPart = () => boolean;

/** Work per turn, milliseconds, of all connections with work left: a tenth of the time between two frames. */
const turnMs = 4;

export class SharedTurns {
  /** Remaining work, in the order of its next part; after a part, its work moves to the end. */
  readonly #parts: WorkPart[] = [];
  readonly #clock: () => number;
  #isScheduled = false;

  /** @param clock monotonic milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** The part must not throw. */
  add(part: WorkPart): void {
    this.#parts.push(part);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#turn();
    });
  }

  #turn(): void {
    const endMs = this.#clock() + turnMs;
    // Each connection at most once: newly readable connections are served in between.
    for (let left = this.#parts.length; left > 0 && this.#clock() < endMs; left--) {
      const part = this.#parts.shift();
      if (part?.()) this.#parts.push(part);
    }
    if (this.#parts.length > 0) this.#schedule();
  }
}
