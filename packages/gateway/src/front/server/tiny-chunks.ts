// Counts the chunks of request bodies on one connection. A read of 64 KB can contain 11,000 chunks of one byte, and each chunk costs a
// function call.

/** Number of chunks after which their average size is checked. This number of one-byte chunks takes about 3 ms of the event loop. */
export const chunksPerJudgement = 1_024;
/** Minimum average size of the checked chunks, bytes. Real clients send chunks of at least hundreds of bytes. */
export const minAverageChunkBytes = 16;

export class TinyChunks {
  #count = 0;
  #bytes = 0;
  #isFlood = false;

  /** True after `chunksPerJudgement` chunks with an average below `minAverageChunkBytes`. Close such a connection. */
  get isFlood(): boolean {
    return this.#isFlood;
  }

  /** Counts a chunk and returns `isFlood`. */
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
