// The finished segments of one stream that can be had: those of the live playlist, and for one more window those that left it. The
// newest are in memory too, where viewers ask for them. Owns their files from the moment they are added.
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
  /** Monotonic time after which the file may go, once the segment left the playlist. */
  removeAtMs: number;
}

/**
 * Newest segments of a stream that stay in memory: what live players ask for. They begin three from the end (RFC 8216 §6.3.3), and those whose
 * playlist is a segment old ask for the one before; a moment of delay is one more.
 */
const cachedSegments = 5;

export interface KeptSegmentsOptions {
  readonly windowMs: number;
  /** Number of the first segment to come. */
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

  /** Lists a segment; those that it pushes out of the window stay for another one. */
  add(segment: HlsSegment, now: number): void {
    this.#memory.keep(segment);
    const removed = this.#playlist.add(segment);
    this.#playlist.removeLeading(({ isOnDisk, chunks }) => !isOnDisk && chunks === undefined);
    // One more window for viewers who loaded the playlist late, RFC 8216 §6.2.2.
    const removeAtMs = now + this.#playlist.durationMs + segment.durationMs;
    for (const gone of removed) gone.removeAtMs = removeAtMs;
    this.#expired.push(...removed);
    const { segments } = this.#playlist;
    for (const old of segments.slice(0, -cachedSegments)) if (old.isOnDisk) this.#memory.drop(old);
  }

  /** By file name, also for a while after it left the playlist. */
  find(fileName: string): HlsSegment | undefined {
    const isWanted = (segment: HlsSegment): boolean => segment.fileName === fileName;
    return this.#playlist.segments.find(isWanted) ?? this.#expired.find(isWanted);
  }

  /**
   * A segment in one piece, without a wait while it is in memory; those that live players ask for are brought back there. Undefined: it is
   * to be read from its file.
   */
  async bytesOf(segment: HlsSegment): Promise<Buffer | undefined> {
    if (segment.chunks === undefined && this.#isNew(segment)) {
      await this.#memory.load(segment);
      // Meanwhile it may have grown old, or gone.
      if (!this.#isNew(segment)) this.#memory.drop(segment);
    }
    return inOnePiece(segment);
  }

  /** Removes files whose time is over. */
  sweep(now: number): void {
    const due = this.#expired.filter(({ removeAtMs }) => removeAtMs <= now);
    if (due.length === 0) return;
    this.#expired = this.#expired.filter(({ removeAtMs }) => removeAtMs > now);
    for (const segment of due) this.#remove(segment);
  }

  /** From now on none is brought back to memory. */
  close(): void {
    this.#isClosed = true;
  }

  /** Removes all of them. Never rejects. */
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
