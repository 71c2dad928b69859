// Sorts the packets of one RTP source and detects missing packets. A gap delays later packets for a bounded time, so that retransmissions
// (NACK) can fill the gap.
import { type RtpPacket, rtpSequenceDistance } from './rtp-packet.ts';

export interface ReorderLimits {
  /** Longest delay that a gap causes, milliseconds. */
  readonly maxWaitMs: number;
  /** Maximum number of delayed packets. Above this, the gap is skipped. */
  readonly maxPackets: number;
}

export interface InOrder {
  readonly packet: RtpPacket;
  /** Packets directly before this packet were skipped, or the sender restarted. */
  readonly afterGap: boolean;
}

/** A larger jump of sequence numbers means a restarted sender instead of packet loss. */
const maxJump = 3000;
/** Minimum interval between two requests for missing packets, milliseconds. */
const nackRepeatMs = 60;

export class RtpReorderBuffer {
  lostPackets = 0;
  readonly #limits: ReorderLimits;
  readonly #held = new Map<number, RtpPacket>();
  #next: number | undefined;
  #gapSinceMs: number | undefined;
  #lastNackMs = Number.NEGATIVE_INFINITY;

  constructor(limits: ReorderLimits) {
    this.#limits = limits;
  }

  push(packet: RtpPacket, now: number): InOrder[] {
    if (this.#next === undefined) this.#next = packet.sequence;
    const ahead = rtpSequenceDistance(packet.sequence, this.#next);
    if (Math.abs(ahead) > maxJump) return this.#restart(packet);
    if (ahead < 0) return [];
    if (ahead === 0 && this.#held.size === 0) {
      this.#next = (packet.sequence + 1) & 0xffff;
      return [{ packet, afterGap: false }];
    }
    this.#held.set(packet.sequence, packet);
    return this.#release(now);
  }

  /** Call regularly: skips gaps that have lasted for `maxWaitMs`. */
  tick(now: number): InOrder[] {
    return this.#release(now);
  }

  /** Returns the sequence numbers to request now. Empty when nothing is missing, or when the last request was recent. */
  missing(now: number): number[] {
    if (this.#held.size === 0 || this.#next === undefined || now - this.#lastNackMs < nackRepeatMs) return [];
    let newest = 0;
    for (const sequence of this.#held.keys()) newest = Math.max(newest, rtpSequenceDistance(sequence, this.#next));
    const missing: number[] = [];
    for (let step = 0; step < newest; step++) {
      const sequence = (this.#next + step) & 0xffff;
      if (!this.#held.has(sequence)) missing.push(sequence);
    }
    if (missing.length > 0) this.#lastNackMs = now;
    return missing;
  }

  #restart(packet: RtpPacket): InOrder[] {
    this.#held.clear();
    this.#gapSinceMs = undefined;
    this.#next = (packet.sequence + 1) & 0xffff;
    return [{ packet, afterGap: true }];
  }

  #release(now: number): InOrder[] {
    const ready: InOrder[] = [];
    let afterGap = false;
    while (this.#held.size > 0 && this.#next !== undefined) {
      const packet = this.#held.get(this.#next);
      if (packet) {
        this.#held.delete(this.#next);
        this.#next = (this.#next + 1) & 0xffff;
        this.#gapSinceMs = undefined;
        ready.push({ packet, afterGap });
        afterGap = false;
        continue;
      }
      this.#gapSinceMs ??= now;
      if (now - this.#gapSinceMs < this.#limits.maxWaitMs && this.#held.size <= this.#limits.maxPackets) break;
      this.#skipGap();
      afterGap = true;
    }
    if (this.#held.size === 0) this.#gapSinceMs = undefined;
    return ready;
  }

  #skipGap(): void {
    const from = this.#next ?? 0;
    let nearest = maxJump;
    for (const sequence of this.#held.keys()) nearest = Math.min(nearest, rtpSequenceDistance(sequence, from));
    this.lostPackets += nearest;
    this.#next = (from + nearest) & 0xffff;
    this.#gapSinceMs = undefined;
  }
}
