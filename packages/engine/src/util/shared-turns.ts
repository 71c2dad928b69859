// Schedules the parsing of received data. Connections alternate, one part at a time, over several turns of the event loop. A buffer full of
// tiny messages then does not delay other connections. A reader parses the first part immediately and schedules the rest here.

/** Does a part of the work. Returns false after the last part. */
export type WorkPart = () => boolean;

/** Time per turn for all scheduled work, milliseconds: a tenth of the time between two frames. */
const turnMs = 4;

export class SharedTurns {
  /** Remaining work. After a part, the work moves to the end of the list. */
  readonly #parts: WorkPart[] = [];
  readonly #clock: () => number;
  #isScheduled = false;

  /** @param clock monotonic milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Must not throw. */
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
    // Runs each entry at most once per turn, so that newly readable connections are served in between.
    for (let left = this.#parts.length; left > 0 && this.#clock() < endMs; left--) {
      const part = this.#parts.shift();
      if (part?.()) this.#parts.push(part);
    }
    if (this.#parts.length > 0) this.#schedule();
  }
}
