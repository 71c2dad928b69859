// Limits the memory for segments of all streams: at the limit, the bytes of the oldest segments are released. HLS then reads from disk;
// low-latency HLS has no files and loses the segments.
import { readFile } from 'node:fs/promises';

export interface CachedSegment {
  /** Bytes of the segment; undefined after their release, or if only on disk. */
  chunks: readonly Buffer[] | undefined;
  readonly sizeBytes: number;
}

interface SegmentOfFile extends CachedSegment {
  readonly path: string;
}

/**
 * Joins the bytes of a segment in one buffer and keeps that buffer, because many small pieces cost CPU time per viewer. Undefined when the
 * bytes were released.
 */
export function inOnePiece(segment: CachedSegment): Buffer | undefined {
  if (segment.chunks !== undefined && segment.chunks.length > 1) segment.chunks = [Buffer.concat(segment.chunks)];
  return segment.chunks?.[0];
}

/** Default maximum for all streams, bytes: 5 s each of 100 streams with 2 Mbit/s. */
const defaultMaxBytes = 128 * 1024 * 1024;
/** Larger segments are served from disk, bytes. */
export const maxCachedSegmentBytes = 8 * 1024 * 1024;

export class SegmentMemory {
  readonly #maxBytes: number;
  readonly #segments = new Set<CachedSegment>();
  readonly #loading = new Map<CachedSegment, Promise<void>>();
  #keptBytes = 0;

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#keptBytes;
  }

  keep(segment: CachedSegment): void {
    if (segment.chunks === undefined) return;
    this.#segments.add(segment);
    this.#keptBytes += segment.sizeBytes;
    for (const oldest of this.#segments) {
      if (this.#keptBytes <= this.#maxBytes) return;
      this.drop(oldest);
    }
  }

  /**
   * Reads a segment back into memory, once for simultaneous requests. Does nothing if the segment is too large, the memory
   * is full or the file is unreadable. Never rejects.
   */
  load(segment: SegmentOfFile): Promise<void> {
    const known = this.#loading.get(segment);
    if (known) return known;
    const hasRoom = this.#keptBytes + segment.sizeBytes <= this.#maxBytes;
    if (segment.chunks !== undefined || segment.sizeBytes > maxCachedSegmentBytes || !hasRoom) return Promise.resolve();
    const loading = readFile(segment.path)
      .then((bytes) => this.#keepLoaded(segment, bytes))
      .catch(() => undefined)
      .finally(() => this.#loading.delete(segment));
    this.#loading.set(segment, loading);
    return loading;
  }

  #keepLoaded(segment: CachedSegment, bytes: Buffer): void {
    if (bytes.length !== segment.sizeBytes) return;
    segment.chunks = [bytes];
    this.keep(segment);
  }

  drop(segment: CachedSegment): void {
    if (this.#segments.delete(segment)) this.#keptBytes -= segment.sizeBytes;
    segment.chunks = undefined;
  }
}
