// Dates of media for `EXT-X-PROGRAM-DATE-TIME`: the wall clock at arrival, without the delay of late or cached packets. Pure: the wall
// clock is a parameter.

/** Maximum correction per segment for an encoder whose clock drifts, milliseconds: players see no jump. */
const maxSlewMs = 5;
/** Smaller differences are ignored, milliseconds: arrivals jitter, and a player that uses dates (Shaka Player) resets when they move. */
const leftAloneMs = 50;

/**
 * Returns the next offset (wall clock minus media time, milliseconds). `offsetMs`: offset of the previous segment; `leastMs`: smallest
 * offset observed since then.
 */
export function followedOffset(offsetMs: number, leastMs: number): number {
  const apartMs = leastMs - offsetMs;
  if (Math.abs(apartMs) <= leftAloneMs) return offsetMs;
  return offsetMs + Math.max(-maxSlewMs, Math.min(apartMs, maxSlewMs));
}

export interface DateAnchor {
  /** Records the arrival of media: media time and wall clock, milliseconds. */
  observe(mediaMs: number, wallMs: number): void;
  /** Milliseconds since 1970 of that media time. */
  dateOf(mediaMs: number): number;
  /** Starts another timeline. */
  restart(): void;
}

export class WallClockAnchor implements DateAnchor {
  /** Wall clock minus media time; the smallest value is the one without network delay. */
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
    else this.#offsetMs = followedOffset(this.#offsetMs, least);
    this.#isUsed = true;
    this.#leastMs = Number.POSITIVE_INFINITY;
    return Math.round(this.#offsetMs + mediaMs);
  }

  restart(): void {
    this.#isUsed = false;
    this.#leastMs = Number.POSITIVE_INFINITY;
  }
}
