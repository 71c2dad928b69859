// Counts the chunks of request bodies on one connection: a read of 64 KB can contain 11,000 chunks of one byte, and each costs a call.

/** Number of chunks after which their average size is checked; about 3 ms of the event loop with one byte each. */
export const chunksPerJudgement = 1_024;
/** Minimum average size of these chunks, bytes; clients send what they read or buffered, at least hundreds of bytes. */
export const minAverageChunkBytes = 16;

export class TinyChunks {
  #count = 0;
  #bytes = 0;
  #isFlood = false;

  /** True when `chunksPerJudgement` consecutive chunks were tiny, so that the connection must be closed. */
  get isFlood(): boolean {
    return this.#isFlood;
  }

  /** Counts a chunk; returns `isFlood`. */
  add(bytes: number): boolean {
    if (this.#isFlood) return true;
    this.#count += 1;
    this.#bytes += bytes;
    if (this.#count === chunksPerJudgement) {
      this.#isFlood = this.#bytes < chunksPerJudgement * minAverageChunkBytes;
      [this.#count, this.#bytes] = [0, 0];
    }
    return this.#isFlood;
  }
}
