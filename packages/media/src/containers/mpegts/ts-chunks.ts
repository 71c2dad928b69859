// Where a muxer writes its packets: buffers allocated ahead, handed out as they fill. Chunks are shared by files and
// viewers, so a chunk that was taken is never written again.
import { tsPacketSize } from './ts-packet.ts';

/** Target of the muxer. */
export interface TsSink {
  /** Holds the packet allocated last. */
  readonly buffer: Buffer;
  /** Reserves 188 bytes of `buffer`, which may have become another one; returns their offset. */
  allocate(): number;
}

/** Packets of one chunk: 32 KiB of them, so that little is wasted on a short segment and little is allocated per second. */
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

  /** Whole chunks that are filled; the rest stays. For outputs that want equal pieces. */
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
