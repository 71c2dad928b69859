// Dates of media for `EXT-X-PROGRAM-DATE-TIME`: the arrival time, corrected for late and cached packets. The wall clock is a parameter.

/** Maximum date correction per segment when the encoder's clock drifts, milliseconds: too small for players to notice. */
const maxSlewMs = 5;
/** Smaller differences are ignored, milliseconds, because arrival times jitter and Shaka Player resets when dates change. */
const leftAloneMs = 50;

/**
 * Returns the next offset (wall clock minus media time, milliseconds). `offsetMs`: the previous offset. `leastMs`: the smallest offset
 * observed since the previous segment.
 */
export function followedOffset(offsetMs: number, leastMs: number): number {
  const apartMs = leastMs - offsetMs;
  if (Math.abs(apartMs) <= leftAloneMs) return offsetMs;
  return offsetMs + Math.max(-maxSlewMs, Math.min(apartMs, maxSlewMs));
}

export interface DateAnchor {
  observe(mediaMs: number, wallMs: number): void;
  /** Date of a media time, milliseconds since 1970. */
  dateOf(mediaMs: number): number;
  /** Call when the media clock changes. */
  restart(): void;
}

export class WallClockAnchor implements DateAnchor {
  /** Wall clock minus media time. The smallest observed value contains the least network delay. */
  #offsetMs: number | undefined;
  #leastMs = Number.POSITIVE_INFINITY;
  #isUsed = false;

  observe(mediaMs: number, wallMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, wallMs - mediaMs);
  }

  /** Date of a media time, milliseconds since 1970. Call once per segment in ascending order. */
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
