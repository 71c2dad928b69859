// Finished segments of one stream: those in the live playlist, and recently removed segments. The newest segments are also in memory while
// viewers request them. Owns the files of all added segments.
import { unlink } from 'node:fs/promises';
import { LivePlaylist } from './live-playlist.ts';
import { type CachedSegment, inOnePiece, type SegmentMemory } from './segment-memory.ts';

export interface HlsSegment extends CachedSegment {
  readonly fileName: string;
  readonly path: string;
  readonly sequence: number;
  readonly durationMs: number;
  readonly isDiscontinuous: boolean;
  isOnDisk: boolean;
  /** Monotonic time for removing the file; applies after the segment has left the playlist. */
  removeAtMs: number;
}

/**
 * Number of the newest segments per stream that stay in memory. Players start three segments from the end (RFC 8216 §6.3.3), or four with
 * an outdated playlist. The fifth is for delays.
 */
const cachedSegments = 5;

export interface KeptSegmentsOptions {
  readonly windowMs: number;
  readonly firstSequence: number;
  readonly memory: SegmentMemory;
}

export class KeptSegments {
  readonly #memory: SegmentMemory;
  readonly #playlist: LivePlaylist<HlsSegment>;
  #expired: HlsSegment[] = [];
  #isClosed = false;

  constructor({ windowMs, firstSequence, memory }: KeptSegmentsOptions) {
    this.#memory = memory;
    this.#playlist = new LivePlaylist(windowMs, firstSequence);
  }

  get playlist(): Pick<LivePlaylist<HlsSegment>, 'segments' | 'targetDuration' | 'bandwidth' | 'toText'> {
    return this.#playlist;
  }

  /** Adds a segment. Segments that leave the playlist stay available for another playlist duration. */
  add(segment: HlsSegment, now: number): void {
    this.#memory.keep(segment);
    const removed = this.#playlist.add(segment);
    this.#playlist.removeLeading(({ isOnDisk, chunks }) => !isOnDisk && chunks === undefined);
    // Viewers may have loaded the playlist just before the removal (RFC 8216 §6.2.2).
    const removeAtMs = now + this.#playlist.durationMs + segment.durationMs;
    for (const gone of removed) gone.removeAtMs = removeAtMs;
    this.#expired.push(...removed);
    const { segments } = this.#playlist;
    for (const old of segments.slice(0, -cachedSegments)) if (old.isOnDisk) this.#memory.drop(old);
  }

  find(fileName: string): HlsSegment | undefined {
    const isWanted = (segment: HlsSegment): boolean => segment.fileName === fileName;
    return this.#playlist.segments.find(isWanted) ?? this.#expired.find(isWanted);
  }

  /** Returns the bytes in one buffer. The newest segments are read back into memory if needed. Undefined: the caller must read the file. */
  async bytesOf(segment: HlsSegment): Promise<Buffer | undefined> {
    if (segment.chunks === undefined && this.#isNew(segment)) {
      await this.#memory.load(segment);
      // Meanwhile the segment may have become old or been removed.
      if (!this.#isNew(segment)) this.#memory.drop(segment);
    }
    return inOnePiece(segment);
  }

  sweep(now: number): void {
    const due = this.#expired.filter(({ removeAtMs }) => removeAtMs <= now);
    if (due.length === 0) return;
    this.#expired = this.#expired.filter(({ removeAtMs }) => removeAtMs > now);
    for (const segment of due) this.#remove(segment);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Removes all segments with their files. Never rejects. */
  async removeAll(): Promise<void> {
    const segments = [...this.#expired, ...this.#playlist.segments];
    for (const segment of segments) this.#memory.drop(segment);
    await Promise.all(segments.map(({ path }) => unlink(path).catch(() => {})));
  }

  #isNew(segment: HlsSegment): boolean {
    return !this.#isClosed && this.#playlist.segments.slice(-cachedSegments).includes(segment);
  }

  #remove(segment: HlsSegment): void {
    this.#memory.drop(segment);
    if (segment.isOnDisk) unlink(segment.path).catch(() => {});
  }
}
