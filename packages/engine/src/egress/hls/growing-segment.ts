// The open segment. It stays in memory while small. Its file normally grows by whole frames, so a killed process leaves complete frames.
import type { SessionInfo } from '../../session-info.ts';
import { SegmentFile } from './segment-file.ts';
import { maxCachedSegmentBytes } from './segment-memory.ts';

export interface GrowingSegmentFacts {
  readonly fileName: string;
  readonly path: string;
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly isDiscontinuous: boolean;
  readonly publisher: SessionInfo | undefined;
}

/**
 * Maximum number of unwritten bytes. More data is written even in the middle of a frame, because a stream may have timestamps that do not
 * advance.
 */
const maxUnwrittenBytes = 1024 * 1024;

export class GrowingSegment {
  readonly facts: GrowingSegmentFacts;
  sizeBytes = 0;
  readonly #file: SegmentFile;
  #cachedChunks: Buffer[] | undefined = [];
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;

  constructor(facts: GrowingSegmentFacts) {
    this.facts = facts;
    this.#file = new SegmentFile(facts.path);
  }

  /** The whole segment; undefined when it is too large to keep. */
  get chunks(): readonly Buffer[] | undefined {
    return this.#cachedChunks;
  }

  /** `isWhole`: the data ends at a frame boundary. */
  append(chunks: readonly Buffer[], isWhole: boolean): void {
    const size = chunks.reduce((total, { length }) => total + length, 0);
    this.sizeBytes += size;
    this.#unwrittenBytes += size;
    this.#unwritten.push(...chunks);
    this.#cachedChunks?.push(...chunks);
    if (this.sizeBytes > maxCachedSegmentBytes) this.#cachedChunks = undefined;
    if (isWhole || this.#unwrittenBytes >= maxUnwrittenBytes) this.#writePiece();
  }

  /** Starts the last write; `finishFile` resolves when the file is complete. */
  close(): void {
    if (this.#unwritten.length > 0) this.#writePiece();
  }

  /** Resolves when the file has its final name; rejects with the write error. */
  finishFile(): Promise<void> {
    return this.#file.finish();
  }

  discard(): Promise<void> {
    return this.#file.discard();
  }

  #writePiece(): void {
    this.#file.append(this.#unwritten);
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
  }
}
