// Dates of renditions with a common media clock: each media time has one date, whichever rendition needs it first (RFC 8216bis §6.2.4).
// Pure: the wall clock is a parameter.
import { type DateAnchor, followedOffset } from './wall-clock-anchor.ts';

/** Difference between date and media time, valid from a media time on. */
interface Mark {
  readonly fromMs: number;
  readonly offsetMs: number;
}

/** Maximum number of kept marks, one per segment of the rendition that is ahead. A playlist lists fewer segments. */
const maxMarks = 64;
/**
 * Times this close to a mark belong to the same segment start, milliseconds: renditions round their times, and audio starts slightly before
 * or after the video.
 */
const sameCutMs = 250;

export class SharedAnchor implements DateAnchor {
  #marks: Mark[] = [];
  /** Wall clock minus media time; the smallest value is that of the rendition that arrives first. */
  #leastMs = Number.POSITIVE_INFINITY;

  observe(mediaMs: number, wallMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, wallMs - mediaMs);
  }

  /** Milliseconds since 1970 of that media time, in any order of renditions. */
  dateOf(mediaMs: number): number {
    const newest = this.#marks.at(-1);
    if (!newest || mediaMs > newest.fromMs + sameCutMs) this.#mark(mediaMs, newest);
    const mark = this.#marks.findLast(({ fromMs }) => fromMs <= mediaMs + sameCutMs) ?? this.#marks[0]!;
    return Math.round(mark.offsetMs + mediaMs);
  }

  /** Starts another timeline. */
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
