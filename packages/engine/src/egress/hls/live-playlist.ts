// The sliding window of a live stream's segments as a playlist (RFC 8216). Accesses no files.

export interface PlaylistSegment {
  readonly fileName: string;
  readonly durationMs: number;
  readonly sizeBytes: number;
  /** True after another publisher, another codec or a lost segment. */
  readonly isDiscontinuous: boolean;
}

/** Bits per second. */
export interface Bandwidth {
  readonly peak: number;
  readonly average: number;
}

/** RFC 8216 §6.2.2: the minimum duration of a live playlist, in target durations. */
const minTargetDurations = 3;

export class LivePlaylist<Segment extends PlaylistSegment> {
  readonly #windowMs: number;
  #listed: Segment[] = [];
  /** Text of each listed segment up to the query. */
  #entries: string[] = [];
  #mediaSequence: number;
  #discontinuitySequence = 0;
  #targetDuration = 1;

  /** @param mediaSequence number of the first segment. */
  constructor(windowMs: number, mediaSequence = 0) {
    this.#windowMs = windowMs;
    this.#mediaSequence = mediaSequence;
  }

  get segments(): readonly Segment[] {
    return this.#listed;
  }

  /**
   * Duration of the longest segment so far, in rounded seconds (RFC 8216 §4.3.3.1). RFC 8216 §6.2.1 requires a constant value. The value
   * grows only when a keyframe interval is longer than expected, and never shrinks.
   */
  get targetDuration(): number {
    return this.#targetDuration;
  }

  get durationMs(): number {
    return this.#listed.reduce((total, { durationMs }) => total + durationMs, 0);
  }

  /** Bits per second of the listed segments: maximum of one segment, and mean of all segments (RFC 8216 §4.3.4.2). */
  get bandwidth(): Bandwidth {
    const rateOf = (sizeBytes: number, durationMs: number) => Math.ceil((sizeBytes * 8000) / Math.max(1, durationMs));
    const sizeBytes = this.#listed.reduce((total, segment) => total + segment.sizeBytes, 0);
    return {
      peak: Math.max(1, ...this.#listed.map((segment) => rateOf(segment.sizeBytes, segment.durationMs))),
      average: Math.max(1, rateOf(sizeBytes, this.durationMs)),
    };
  }

  add(segment: Segment): Segment[] {
    this.#listed.push(segment);
    this.#entries.push(entryOf(segment));
    this.#targetDuration = Math.max(this.#targetDuration, Math.round(segment.durationMs / 1000));
    const removed: Segment[] = [];
    while (this.#canRemoveFirst()) removed.push(this.#removeFirst());
    return removed;
  }

  /** Removes lost segments at the start of the playlist only, so that segment numbers stay valid. */
  removeLeading(isGone: (segment: Segment) => boolean): void {
    while (this.#listed.length > 0 && isGone(this.#listed[0]!)) this.#removeFirst();
  }

  /** Playlist text; '' without segments. @param query appended to every segment name, with its question mark. */
  toText(query = ''): string {
    if (this.#listed.length === 0) return '';
    const discontinuities =
      this.#discontinuitySequence > 0 ? `#EXT-X-DISCONTINUITY-SEQUENCE:${this.#discontinuitySequence}\n` : '';
    const head = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-MEDIA-SEQUENCE:${this.#mediaSequence}\n#EXT-X-TARGETDURATION:${this.targetDuration}\n`;
    const ending = `${query}\n`;
    return head + discontinuities + this.#entries.join(ending) + ending;
  }

  #canRemoveFirst(): boolean {
    const first = this.#listed[0]!;
    const remainingMs = this.durationMs - first.durationMs;
    return remainingMs >= this.#windowMs && remainingMs >= minTargetDurations * this.targetDuration * 1000;
  }

  #removeFirst(): Segment {
    const first = this.#listed.shift()!;
    this.#entries.shift();
    this.#mediaSequence++;
    if (first.isDiscontinuous) this.#discontinuitySequence++;
    return first;
  }
}

function entryOf({ fileName, durationMs, isDiscontinuous }: PlaylistSegment): string {
  const discontinuity = isDiscontinuous ? '#EXT-X-DISCONTINUITY\n' : '';
  return `${discontinuity}#EXTINF:${(durationMs / 1000).toFixed(3)}, no desc\n${encodeURIComponent(fileName)}`;
}

/** Master playlist for one viewer. As in SRS, the media URL contains the viewer's context. */
export function toMasterText(mediaUrl: string, { peak, average }: Bandwidth): string {
  return `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=${peak},AVERAGE-BANDWIDTH=${average}\n${mediaUrl}\n`;
}
