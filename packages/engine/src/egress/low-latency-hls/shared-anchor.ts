// The dates of renditions, whose media times are those of one clock: each time has one date, whichever rendition asks first (RFC 8216bis
// §6.2.4). Pure: the wall clock is told.
import { type DateAnchor, followedOffset } from './wall-clock-anchor.ts';

/** From that media time on a date is so much later than its time. */
interface Mark {
  readonly fromMs: number;
  readonly offsetMs: number;
}

/** Marks that are kept, one for each segment of the rendition that is ahead: a playlist lists fewer. */
const maxMarks = 64;
/** Times so near to a mark are of the same cut, milliseconds: renditions round theirs, and sound begins beside its picture. */
const sameCutMs = 250;

export class SharedAnchor implements DateAnchor {
  #marks: Mark[] = [];
  /** Wall clock minus media time; the least seen is the one of the rendition that comes first. */
  #leastMs = Number.POSITIVE_INFINITY;

  observe(mediaMs: number, wallMs: number): void {
    this.#leastMs = Math.min(this.#leastMs, wallMs - mediaMs);
  }

  /** Milliseconds since 1970 of that media time, in whatever order renditions ask. */
  dateOf(mediaMs: number): number {
    const newest = this.#marks.at(-1);
    if (!newest || mediaMs > newest.fromMs + sameCutMs) this.#mark(mediaMs, newest);
    const mark = this.#marks.findLast(({ fromMs }) => fromMs <= mediaMs + sameCutMs) ?? this.#marks[0]!;
    return Math.round(mark.offsetMs + mediaMs);
  }

  /** Another timeline begins. */
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
