// Packets with which a new reader can start immediately: all since the last keyframe, or the last second of an audio-only stream. A GOP
// above the limits is discarded.
import type { Packet } from '@srs-stack/media/packet.ts';

export interface GopCacheLimits {
  readonly maxBytes: number;
  readonly maxDurationMs: number;
}

/** Kept media of an audio-only stream, milliseconds: enough for a player to start, with little delay. */
const audioWindowMs = 1000;

export class GopCache {
  #packets: Packet[] = [];
  #sizeBytes = 0;
  #startsWithKeyframe = false;
  #hasVideo = false;
  readonly #limits: GopCacheLimits;

  constructor(limits: GopCacheLimits) {
    this.#limits = limits;
  }

  /** Packets in decode order. Callers must neither keep nor change the array. */
  get contents(): readonly Packet[] {
    return this.#packets;
  }

  get bytes(): number {
    return this.#sizeBytes;
  }

  push(packet: Packet): void {
    if (packet.track.kind === 'video') this.#pushVideo(packet);
    else this.#pushAudio(packet);
  }

  clear(): void {
    this.#drop();
    this.#hasVideo = false;
  }

  #pushVideo(packet: Packet): void {
    this.#hasVideo = true;
    if (packet.keyframe) {
      this.#drop();
      this.#startsWithKeyframe = true;
    }
    if (this.#startsWithKeyframe) this.#append(packet);
    else if (this.#packets.length > 0) this.#drop();
  }

  #pushAudio(packet: Packet): void {
    if (this.#hasVideo && !this.#startsWithKeyframe) return;
    this.#append(packet);
    while (!this.#startsWithKeyframe && this.#windowMs > audioWindowMs)
      this.#sizeBytes -= this.#packets.shift()!.payload.length;
  }

  #append(packet: Packet): void {
    this.#packets.push(packet);
    this.#sizeBytes += packet.payload.length;
    if (this.#sizeBytes > this.#limits.maxBytes || this.#windowMs > this.#limits.maxDurationMs) this.#drop();
  }

  get #windowMs(): number {
    const packets = this.#packets;
    return packets.length === 0 ? 0 : packets.at(-1)!.dtsMs - packets[0]!.dtsMs;
  }

  #drop(): void {
    this.#packets = [];
    this.#sizeBytes = 0;
    this.#startsWithKeyframe = false;
  }
}
