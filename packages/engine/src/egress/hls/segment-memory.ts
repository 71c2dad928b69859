// Keeps the newest segments of watched streams in memory, so that live viewers cause no disk reads. Bounded; the oldest are removed first.
import { readFile } from 'node:fs/promises';

export interface CachedSegment {
  /** Bytes of the segment; undefined while they are only on disk. */
  chunks: readonly Buffer[] | undefined;
  readonly sizeBytes: number;
}

interface SegmentOfFile extends CachedSegment {
  readonly path: string;
}

/**
 * Joins the bytes of a segment in one buffer, which replaces its parts: many parts would cost CPU time per viewer. Only requested segments
 * are copied, once. Undefined when the bytes were released.
 */
export function inOnePiece(segment: CachedSegment): Buffer | undefined {
  if (segment.chunks !== undefined && segment.chunks.length > 1) segment.chunks = [Buffer.concat(segment.chunks)];
  return segment.chunks?.[0];
}

/** Maximum for all streams together, bytes: 100 streams of 2 Mbps hold about 6 s each. */
const defaultMaxBytes = 128 * 1024 * 1024;
/** A larger segment is served from disk, bytes. */
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
   * Reads a segment back into memory, once for concurrent requests. Does nothing when the memory is full or the file cannot be read. Never
   * rejects.
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
