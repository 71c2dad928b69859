// Passes on media that arrives in bursts (HLS segments) at the pace of its timestamps. The owner must call `release` in time.
import type { Packet } from '@srs-stack/media/packet.ts';

/** Media queued ahead, milliseconds. The next segment must arrive within this time. */
const aheadMs = 4_000;
/** Maximum size of queued packets, bytes: `aheadMs` of 60 Mbit/s. */
const maxQueuedBytes = 32 * 1024 * 1024;
/** Overhead counted per packet, bytes: limits the number of tiny packets with the same timestamp. */
const packetBytes = 256;
/** A larger step of the timestamps means a new clock, milliseconds. */
const maxStepMs = 3_000;
/** Assumed interval between packets of two clocks, milliseconds: about one frame. */
const joinMs = 40;
/** Playback speed while `isBehind`; viewers do not notice it. */
const catchUpRate = 1.1;

interface Waiting {
  readonly packet: Packet;
  /** Time of the packet after removal of all steps, milliseconds. */
  readonly atMs: number;
}

export class MediaPacer {
  /** Set by the owner while the source has more unread media than usual. Packets are then released faster. */
  isBehind = false;
  #queue: Waiting[] = [];
  #head = 0;
  #queuedBytes = 0;
  #offsetMs = 0;
  #lastAtMs: number | undefined;
  /** Anchor of the pace: media time `#mediaMs` is due at time `#nowMs` of the owner's clock. */
  #mediaMs = 0;
  #nowMs = 0;

  /** True when enough media is queued. The owner continues to read the source when false. */
  isFull(now: number): boolean {
    if (this.#isEmpty) return false;
    return (this.#lastAtMs ?? 0) - this.#positionAt(now) > aheadMs || this.#queuedBytes > maxQueuedBytes;
  }

  push(packet: Packet, now: number): void {
    const atMs = this.#continuous(packet.dtsMs);
    // After a pause of the source, media continues at normal speed. The pause remains as additional delay.
    if (this.#isEmpty && (this.#lastAtMs === undefined || this.#positionAt(now) > atMs)) this.#anchor(atMs, now);
    this.#lastAtMs = Math.max(this.#lastAtMs ?? atMs, atMs);
    this.#queue.push({ packet, atMs });
    this.#queuedBytes += packet.payload.length + packetBytes;
  }

  /** Returns due packets, and the milliseconds until the next call; undefined: call after the next `push`. */
  release(now: number): { readonly packets: Packet[]; readonly nextMs: number | undefined } {
    const position = this.#positionAt(now);
    this.#anchor(position, now);
    const packets: Packet[] = [];
    for (let first = this.#queue[this.#head]; first && first.atMs <= position; first = this.#queue[this.#head]) {
      this.#head++;
      this.#queuedBytes -= first.packet.payload.length + packetBytes;
      packets.push(first.packet);
    }
    const next = this.#queue[this.#head];
    if (!next || this.#head > 1_000) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return { packets, nextMs: next && (next.atMs - position) / this.#rate };
  }

  get #isEmpty(): boolean {
    return this.#head >= this.#queue.length;
  }

  get #rate(): number {
    return this.isBehind ? catchUpRate : 1;
  }

  #positionAt(now: number): number {
    return this.#mediaMs + (now - this.#nowMs) * this.#rate;
  }

  #anchor(mediaMs: number, now: number): void {
    this.#mediaMs = mediaMs;
    this.#nowMs = now;
  }

  #continuous(dtsMs: number): number {
    const wanted = dtsMs + this.#offsetMs;
    const last = this.#lastAtMs;
    if (last === undefined || Math.abs(wanted - last) <= maxStepMs) return wanted;
    this.#offsetMs = last + joinMs - dtsMs;
    return last + joinMs;
  }
}
