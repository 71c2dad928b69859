// Maps the publisher's timestamps to the stream's clock. That clock starts near zero, never decreases within a track, and continues after
// wraps, jumps, encoder restarts and new publishers. Audio and video share one offset and stay in sync. After a jump, each track keeps the
// old offset until its own packets jump.
import type { Packet } from '@srs-stack/media/packet.ts';

/** RTMP encoders wrap at 24 bit (without extended timestamp), 31 bit (signed) or 32 bit; milliseconds. */
const wrapsMs = [2 ** 24, 2 ** 31, 2 ** 32];
/** A first timestamp from 0 to below this value is kept, milliseconds. */
const startAsIsBelowMs = 10_000;
/** Replaces any other first timestamp, milliseconds. Leaves room for a second track that starts slightly earlier. */
const startAtMs = 1000;
/** Maximum gap that counts as lost frames, milliseconds, in addition to the elapsed wall-clock time. A larger gap is a jump. */
const maxForwardGapMs = 3000;
/** Maximum backward step within a track that counts as jitter, milliseconds. The packet is moved forward; the offset is kept. */
const maxBackwardStepMs = 500;
/** Step between packets whose timestamps do not increase, milliseconds. */
const minStepMs = 1;
/** Assumed interval between the packets before and after a jump, milliseconds: one video frame or two audio frames. */
const jumpStepMs = 40;
/** Maximum presentation time minus decode time with B-frames, milliseconds. A larger value is invalid. */
const maxReorderMs = 1000;

interface TrackClock {
  lastMs: number;
  /** Whether this track has not jumped yet, and keeps the offset from before the jump. */
  onPreviousOffset: boolean;
}

export class Timeline {
  repairs = 0;
  readonly #clocks = new Map<Packet['track']['kind'], TrackClock>();
  #offsetMs: number | undefined;
  /** Whether the timestamps are kept, because they were already repaired. Timestamps behind the stream's clock are not kept. */
  #keepsClock = false;
  #previousOffsetMs = 0;
  /** Latest returned time of both tracks. */
  #positionMs = 0;
  /** Latest returned presentation time. With B-frames, it is later than the decode time. */
  #presentedMs = 0;
  #lastArrivalMs: number | undefined;

  /** Call before packets of a new publisher or clock. Without `keepsClock`, the next packet continues directly after all returned times. */
  restart({ keepsClock } = { keepsClock: false }): void {
    this.#offsetMs = undefined;
    this.#keepsClock = keepsClock;
  }

  /** Returns the packet with timestamps of the stream's clock. @param now arrival, monotonic milliseconds. */
  repair(raw: Packet, now: number): Packet {
    const dtsMs = this.#toStreamTime(raw, now);
    this.#lastArrivalMs = now;
    if (dtsMs > this.#positionMs) this.#positionMs = dtsMs;
    // Presentation times are shifted like decode times, but never before the decode time.
    const ptsMs = Math.max(dtsMs, raw.ptsMs + this.#offsetOf(raw));
    if (ptsMs > this.#presentedMs && ptsMs - dtsMs <= maxReorderMs) this.#presentedMs = ptsMs;
    if (dtsMs === raw.dtsMs && ptsMs === raw.ptsMs) return raw;
    return { ...raw, dtsMs, ptsMs };
  }

  #toStreamTime(raw: Packet, now: number): number {
    if (this.#offsetMs === undefined) this.#begin(raw);
    let clock = this.#clocks.get(raw.track.kind);
    if (!clock) {
      clock = { lastMs: Number.NEGATIVE_INFINITY, onPreviousOffset: false };
      this.#clocks.set(raw.track.kind, clock);
    }
    this.#followClock(raw, clock, now);
    const wanted = raw.dtsMs + this.#offsetOf(raw);
    if (wanted >= Math.max(0, clock.lastMs)) clock.lastMs = wanted;
    else {
      this.repairs++;
      clock.lastMs = Math.max(0, clock.lastMs + minStepMs);
    }
    return clock.lastMs;
  }

  #begin(raw: Packet): void {
    if (this.#keepsClock && raw.dtsMs >= this.#positionMs - maxBackwardStepMs) {
      this.#offsetMs = 0;
      for (const clock of this.#clocks.values()) clock.onPreviousOffset = false;
      return;
    }
    if (this.#clocks.size > 0) {
      this.#offsetMs = Math.max(this.#positionMs, this.#presentedMs) + jumpStepMs - raw.dtsMs;
    } else this.#offsetMs = raw.dtsMs >= 0 && raw.dtsMs < startAsIsBelowMs ? 0 : startAtMs - raw.dtsMs;
    for (const clock of this.#clocks.values()) clock.onPreviousOffset = false;
  }

  /** Chooses the offset for a packet; after a jump, starts a new offset. */
  #followClock(raw: Packet, clock: TrackClock, now: number): void {
    const offset = this.#offsetMs!;
    // Keeps forward jumps, because the other stream on this clock has them too. A large backward step is a wrap of RTMP's 32-bit
    // timestamps.
    if (this.#keepsClock && offset === 0 && raw.dtsMs >= clock.lastMs - maxBackwardStepMs) return;
    if (clock.onPreviousOffset) {
      const onOld = this.#distance(raw.dtsMs + this.#previousOffsetMs, clock);
      const onNew = this.#distance(raw.dtsMs + offset, clock);
      if (onNew <= onOld) clock.onPreviousOffset = false;
      if (this.#fits(raw.dtsMs + this.#offsetOf(raw), clock, now)) return;
    } else if (this.#fits(raw.dtsMs + offset, clock, now)) return;
    this.#jump(raw, clock);
  }

  #jump(raw: Packet, clock: TrackClock): void {
    const offset = this.#offsetOf(raw);
    this.repairs++;
    for (const other of this.#clocks.values()) other.onPreviousOffset = other !== clock;
    this.#previousOffsetMs = this.#offsetMs!;
    this.#offsetMs = this.#wrapped(raw.dtsMs + offset, clock, offset) ?? this.#positionMs + jumpStepMs - raw.dtsMs;
  }

  /** Returns the offset after a wrap, so that times stay exact; undefined if the jump is not a wrap. */
  #wrapped(outMs: number, clock: TrackClock, offset: number): number | undefined {
    const last = Number.isFinite(clock.lastMs) ? clock.lastMs : this.#positionMs;
    const wrap = wrapsMs.find((ms) => Math.abs(outMs + ms - last) <= maxForwardGapMs);
    return wrap === undefined ? undefined : offset + wrap;
  }

  #fits(outMs: number, clock: TrackClock, now: number): boolean {
    const arrivalGapMs = now - (this.#lastArrivalMs ?? now);
    if (this.#lastArrivalMs !== undefined && outMs - this.#positionMs > maxForwardGapMs + arrivalGapMs) return false;
    const last = Number.isFinite(clock.lastMs) ? clock.lastMs : this.#positionMs - maxForwardGapMs;
    return outMs >= last - maxBackwardStepMs;
  }

  #distance(outMs: number, clock: TrackClock): number {
    return Math.abs(outMs - (Number.isFinite(clock.lastMs) ? clock.lastMs : this.#positionMs));
  }

  #offsetOf(packet: Packet): number {
    return this.#clocks.get(packet.track.kind)?.onPreviousOffset ? this.#previousOffsetMs : this.#offsetMs!;
  }
}
