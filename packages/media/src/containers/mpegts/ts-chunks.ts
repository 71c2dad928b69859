// Output buffers of a muxer. Files and viewers share a returned chunk, so the muxer never writes to the chunk again.
import { tsPacketSize } from './ts-packet.ts';

/** Where the muxer writes transport packets. */
export interface TsSink {
  /** Contains the packet that was allocated last. */
  readonly buffer: Buffer;
  /** Reserves 188 bytes in `buffer` and returns the offset. May replace `buffer`. */
  allocate(): number;
}

/** Packets per chunk. A chunk of 32 KiB wastes little memory on a short segment and needs few allocations per second. */
const defaultPacketsPerChunk = 174;
const nothing: readonly Buffer[] = [];

export class TsChunks implements TsSink {
  buffer: Buffer;
  readonly #chunkSize: number;
  #full: Buffer[] = [];
  #start = 0;
  #end = 0;

  constructor(packetsPerChunk = defaultPacketsPerChunk) {
    this.#chunkSize = packetsPerChunk * tsPacketSize;
    this.buffer = Buffer.allocUnsafeSlow(this.#chunkSize);
  }

  allocate(): number {
    if (this.#end === this.#chunkSize) this.#nextChunk();
    const offset = this.#end;
    this.#end += tsPacketSize;
    return offset;
  }

  /** Removes and returns the full chunks, for outputs that need pieces of equal size. The last, incomplete chunk remains. */
  takeFull(): readonly Buffer[] {
    if (this.#full.length === 0) return nothing;
    const full = this.#full;
    this.#full = [];
    return full;
  }

  take(): readonly Buffer[] {
    const taken = [...this.takeFull()];
    if (this.#end > this.#start) taken.push(this.buffer.subarray(this.#start, this.#end));
    this.#start = this.#end;
    return taken;
  }

  #nextChunk(): void {
    if (this.#end > this.#start) this.#full.push(this.buffer.subarray(this.#start, this.#end));
    this.buffer = Buffer.allocUnsafeSlow(this.#chunkSize);
    this.#start = 0;
    this.#end = 0;
  }
}
