// The segment that is being muxed: kept whole in memory while it is small, written to its file whenever its frames are whole, so
// that a killed process leaves what it had.
import type { SessionInfo } from '../../session-info.ts';
import { SegmentFile } from './segment-file.ts';
import { maxCachedSegmentBytes } from './segment-memory.ts';

export interface GrowingSegmentFacts {
  readonly fileName: string;
  readonly path: string;
  readonly sequence: number;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly isDiscontinuous: boolean;
  /** Who published when it began. */
  readonly publisher: SessionInfo | undefined;
}

/** More is written also in the middle of a frame, bytes: of a stream whose time stands still. */
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

  /** Everything, while it is small enough to be kept. */
  get chunks(): readonly Buffer[] | undefined {
    return this.#cachedChunks;
  }

  /** `isWhole`: the frames so far are complete with these. */
  append(chunks: readonly Buffer[], isWhole: boolean): void {
    const size = chunks.reduce((total, { length }) => total + length, 0);
    this.sizeBytes += size;
    this.#unwrittenBytes += size;
    this.#unwritten.push(...chunks);
    this.#cachedChunks?.push(...chunks);
    if (this.sizeBytes > maxCachedSegmentBytes) this.#cachedChunks = undefined;
    if (isWhole || this.#unwrittenBytes >= maxUnwrittenBytes) this.#writePiece();
  }

  /** Begins to write the rest; `finishFile` tells when it is there. */
  close(): void {
    if (this.#unwritten.length > 0) this.#writePiece();
  }

  /** Resolves when the file has its final name; rejects with what went wrong. */
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
