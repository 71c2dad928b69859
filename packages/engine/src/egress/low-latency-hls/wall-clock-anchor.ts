// When media was made, for `EXT-X-PROGRAM-DATE-TIME`: the wall clock when it came, without the delay of packets that came late or
// from a cache. Pure: the wall clock is told.

/** The date follows an encoder whose clock runs differently by so much per segment, milliseconds: no player sees a jump. */
const maxSlewMs = 5;
/** Differences up to this are left alone, milliseconds: arrivals jitter, and a player that goes by dates (Shaka Player) begins anew where they move. */
const leftAloneMs = 50;

/** The next offset from media time to wall clock, given that of the segment before and the least seen since; milliseconds. */
export function followedOffset(offsetMs: number, leastMs: number): number {
  const apartMs = leastMs - offsetMs;
  if (Math.abs(apartMs) <= leftAloneMs) return offsetMs;
  return offsetMs + Math.max(-maxSlewMs, Math.min(apartMs, maxSlewMs));
}

export interface DateAnchor {
  /** Media of that time came at that wall clock, milliseconds both. */
  observe(mediaMs: number, wallMs: number): void;
  /** Milliseconds since 1970 of that media time. */
  dateOf(mediaMs: number): number;
  /** Another timeline begins. */
  restart(): void;
}

export class WallClockAnchor implements DateAnchor {
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
