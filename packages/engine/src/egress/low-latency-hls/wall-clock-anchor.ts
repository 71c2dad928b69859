// When media was made, for `EXT-X-PROGRAM-DATE-TIME`: the wall clock when it came, without the delay of packets that came late or
// from a cache. Pure: the wall clock is told.

/** The date follows an encoder whose clock runs differently by so much per segment, milliseconds: no player sees a jump. */
const maxSlewMs = 5;

export class WallClockAnchor {
  /** Wall clock minus media time; the least seen is the one without delay. */
  #offsetMs: number | undefined;
  #leastMs = Number.POSITIVE_INFINITY;
  #isUsed = false;

  observe(mediaMs: number, wallMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, wallMs - mediaMs);
  }

  /** Milliseconds since 1970 of that media time; call once per segment, in their order. */
  dateOf(mediaMs: number): number {
    const least = Number.isFinite(this.#leastMs) ? this.#leastMs : (this.#offsetMs ?? 0);
    if (this.#offsetMs === undefined || !this.#isUsed) this.#offsetMs = least;
    else this.#offsetMs += Math.max(-maxSlewMs, Math.min(least - this.#offsetMs, maxSlewMs));
    this.#isUsed = true;
    this.#leastMs = Number.POSITIVE_INFINITY;
    return Math.round(this.#offsetMs + mediaMs);
  }

  /** Another timeline begins. */
  restart(): void {
    this.#isUsed = false;
    this.#leastMs = Number.POSITIVE_INFINITY;
  }
}
