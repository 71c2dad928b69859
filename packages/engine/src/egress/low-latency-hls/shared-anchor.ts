// Dates of renditions with a common media clock. All renditions get the same date for a media time (RFC 8216bis §6.2.4). The wall clock is
// a parameter.
import { type DateAnchor, followedOffset } from './wall-clock-anchor.ts';

/** Date minus media time, valid from the media time `fromMs` on. */
interface Mark {
  readonly fromMs: number;
  readonly offsetMs: number;
}

/** Maximum number of marks, one per segment. A playlist lists fewer segments. */
const maxMarks = 64;
/**
 * Maximum distance between a mark and other start times of the same segment, milliseconds. Renditions round their times, and audio may
 * start slightly before or after the video.
 */
const sameCutMs = 250;

export class SharedAnchor implements DateAnchor {
  #marks: Mark[] = [];
  /** Minimum of wall clock minus media time; the rendition that arrives first sets the minimum. */
  #leastMs = Number.POSITIVE_INFINITY;

  observe(mediaMs: number, wallMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, wallMs - mediaMs);
  }

  /** Date of a media time, milliseconds since 1970. Renditions may call in any order. */
  dateOf(mediaMs: number): number {
    const newest = this.#marks.at(-1);
    if (!newest || mediaMs > newest.fromMs + sameCutMs) this.#mark(mediaMs, newest);
    const mark = this.#marks.findLast(({ fromMs }) => fromMs <= mediaMs + sameCutMs) ?? this.#marks[0]!;
    return Math.round(mark.offsetMs + mediaMs);
  }

  restart(): void {
    this.#marks = [];
    this.#leastMs = Number.POSITIVE_INFINITY;
  }

  #mark(fromMs: number, newest: Mark | undefined): void {
    const least = Number.isFinite(this.#leastMs) ? this.#leastMs : (newest?.offsetMs ?? 0);
    this.#marks.push({ fromMs, offsetMs: newest ? followedOffset(newest.offsetMs, least) : least });
    if (this.#marks.length > maxMarks) this.#marks.shift();
    this.#leastMs = Number.POSITIVE_INFINITY;
  }
}
