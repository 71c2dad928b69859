// Collects audio frames for one PES packet. Sent alone, a frame of 370 bytes needs three transport packets.
import type { AudioFraming } from './audio-framing.ts';

/** Maximum number of frames in a batch; keeps arrays small for every codec. */
const maxFrames = 32;
/** Maximum size of a batch, bytes: PES_packet_length of audio has 16 bits. */
const maxBytes = 48 * 1024;
/** Maximum gap or overlap between frames that share a PES packet, milliseconds. Larger than the rounding of FLV timestamps (1 ms). */
const contiguousToleranceMs = 5;

export class AudioBatch {
  readonly frames: Buffer[] = [];
  /** Time of the first frame, milliseconds. */
  startMs = 0;
  /** Size including prefixes, bytes. */
  size = 0;
  #endMs = 0;

  get isEmpty(): boolean {
    return this.frames.length === 0;
  }

  get durationMs(): number {
    return this.#endMs - this.startMs;
  }

  /** Whether the next frame fits into this PES packet. */
  accepts(ptsMs: number, size: number): boolean {
    if (this.isEmpty) return true;
    const isContiguous = Math.abs(ptsMs - this.#endMs) <= contiguousToleranceMs;
    return isContiguous && this.frames.length < maxFrames && this.size + size <= maxBytes;
  }

  add(frame: Buffer, ptsMs: number, framing: AudioFraming): void {
    if (this.isEmpty) {
      this.startMs = ptsMs;
      this.#endMs = ptsMs;
    }
    this.frames.push(frame);
    this.size += frame.length + framing.prefixSize(frame.length);
    this.#endMs += framing.durationMs(frame);
  }

  clear(): void {
    this.frames.length = 0;
    this.size = 0;
  }
}
