// Output buffers of a muxer, allocated in advance and returned when full. Files and viewers share chunks, so a returned chunk is never
// written again.
import { tsPacketSize } from './ts-packet.ts';

/** Target of the muxer. */
export interface TsSink {
  /** Contains the packet that was allocated last. */
  readonly buffer: Buffer;
  /** Reserves 188 bytes of `buffer`, which may be replaced by a new one; returns their offset. */
  allocate(): number;
}

/** Packets per chunk: 32 KiB, so that little memory is wasted on a short segment and few allocations are needed per second. */
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

  /** Removes and returns the full chunks, for outputs that need pieces of equal size; the last, incomplete one remains. */
  takeFull(): readonly Buffer[] {
    if (this.#full.length === 0) return nothing;
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Everything written since the last call. */
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
