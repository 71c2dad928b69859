// A segment of the low-latency playlist. Its concatenated parts are the bytes of the segment.
import type { CachedSegment } from '../hls/segment-memory.ts';
import type { ListedPart, ListedSegment } from './part-playlist.ts';

export interface HeldPart extends ListedPart {
  readonly number: number;
  readonly data: Buffer;
}

export interface LowLatencySegmentFacts {
  readonly fileName: string;
  readonly initFileName: string;
  readonly initSegment: Buffer;
  readonly isDiscontinuous: boolean;
  /** Called once, when the segment first appears in the playlist. */
  readonly readDateMs: () => number;
}

export class LowLatencySegment implements ListedSegment, CachedSegment {
  readonly fileName: string;
  readonly initFileName: string;
  readonly initSegment: Buffer;
  readonly isDiscontinuous: boolean;
  readonly parts: HeldPart[] = [];
  durationMs: number | undefined;
  sizeBytes = 0;
  /** Duration of the longest playlist that listed the segment, milliseconds. */
  longestPlaylistMs = 0;
  /** Monotonic time for removing the segment; applies after the segment has left the playlist. */
  removeAtMs = 0;
  readonly #readDateMs: () => number;
  #dateMs: number | undefined;
  #isDropped = false;

  constructor({ fileName, initFileName, initSegment, isDiscontinuous, readDateMs }: LowLatencySegmentFacts) {
    this.fileName = fileName;
    this.initFileName = initFileName;
    this.initSegment = initSegment;
    this.isDiscontinuous = isDiscontinuous;
    this.#readDateMs = readDateMs;
  }

  get dateMs(): number {
    this.#dateMs ??= this.#readDateMs();
    return this.#dateMs;
  }

  get chunks(): readonly Buffer[] | undefined {
    return this.#isDropped ? undefined : this.parts.map(({ data }) => data);
  }

  /** Only undefined is accepted: it releases the bytes. */
  set chunks(_none: undefined) {
    this.#isDropped = true;
    this.parts.length = 0;
  }

  add(part: HeldPart): void {
    this.parts.push(part);
    this.sizeBytes += part.data.length;
  }
}
