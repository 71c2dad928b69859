// Records when data arrived, and the longest pause.

export class Pauses {
  #lastAt = performance.now();
  #longestMs = 0;

  note(): void {
    const now = performance.now();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastAt);
    this.#lastAt = now;
  }

  /** `performance.now()` of the last time. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** Includes the current pause, milliseconds. */
  get longestMs(): number {
    return Math.max(this.#longestMs, performance.now() - this.#lastAt);
  }

  /** Resets the measurement. */
  forget(): void {
    this.#longestMs = 0;
    this.#lastAt = performance.now();
  }
}
