// Records when data arrived, and the longest pause.

export class Pauses {
  #lastAt = performance.now();
  #longestMs = 0;

  note(): void {
    const now = performance.now();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastAt);
    this.#lastAt = now;
  }

  /** Time of the last data, as `performance.now()`. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** Longest pause, including the current one, milliseconds. */
  get longestMs(): number {
    return Math.max(this.#longestMs, performance.now() - this.#lastAt);
  }

  forget(): void {
    this.#longestMs = 0;
    this.#lastAt = performance.now();
  }
}
