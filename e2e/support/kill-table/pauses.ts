// When something came, and the longest time in which nothing did.

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

  /** Up to now, milliseconds. */
  get longestMs(): number {
    return Math.max(this.#longestMs, performance.now() - this.#lastAt);
  }

  /** From now on. */
  forget(): void {
    this.#longestMs = 0;
    this.#lastAt = performance.now();
  }
}
