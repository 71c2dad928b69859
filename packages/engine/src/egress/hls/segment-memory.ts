// Newest segments of all streams kept in memory, so that live viewers cost no disk reads; bounded, oldest out first.

export interface CachedSegment {
  /** Bytes of the segment, undefined once they were let go. */
  chunks: readonly Buffer[] | undefined;
  readonly sizeBytes: number;
}

/**
 * The bytes of a segment in one piece, which it keeps instead of the others; undefined once they were let go. Every piece is work for
 * each of hundreds of viewers, a copy is made once, and none of a segment that nobody asks for.
 */
export function inOnePiece(segment: CachedSegment): Buffer | undefined {
  if (segment.chunks !== undefined && segment.chunks.length > 1) segment.chunks = [Buffer.concat(segment.chunks)];
  return segment.chunks?.[0];
}

/** All streams together, bytes: 100 streams of 2 Mbps hold about 6 s each. */
const defaultMaxBytes = 128 * 1024 * 1024;

export class SegmentMemory {
  readonly #maxBytes: number;
  readonly #segments = new Set<CachedSegment>();
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

  drop(segment: CachedSegment): void {
    if (this.#segments.delete(segment)) this.#keptBytes -= segment.sizeBytes;
    segment.chunks = undefined;
  }
}
