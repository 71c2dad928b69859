// Maps the publisher's raw timestamps to the stream's clock. It starts near zero, never decreases within a track, and continues across
// wraps, jumps, encoder restarts and new publishers. Audio and video share one offset and stay in sync; after a jump, a track keeps the old
// offset until its own packets jump.
import type { Packet } from '@srs-stack/media/packet.ts';

/** RTMP encoders wrap at 24 bit (no extended timestamp), 31 bit (signed) and 32 bit, milliseconds. */
const wrapsMs = [2 ** 24, 2 ** 31, 2 ** 32];
/** A raw clock that starts below this is kept, milliseconds. */
const startAsIsBelowMs = 10_000;
/** Start of any other clock, milliseconds: room for a second track that starts slightly earlier. */
const startAtMs = 1000;
/** A gap up to this is attributed to the encoder (lost frames), in addition to the elapsed wall-clock time; milliseconds. */
const maxForwardGapMs = 3000;
/** A step back within one track up to this is jitter: the packet is moved forward, the clock is kept; milliseconds. */
const maxBackwardStepMs = 500;
/** Step of a packet that would otherwise go back, milliseconds. */
const minStepMs = 1;
/** Assumed frame interval across a jump, milliseconds: about one frame of video, two of audio. */
const jumpStepMs = 40;
/** Maximum delay from decoding to presentation with B-frames, milliseconds; a larger one is invalid. */
const maxReorderMs = 1000;

interface TrackClock {
  lastMs: number;
  /** Whether the track still uses the offset from before the newest jump. */
  onPreviousOffset: boolean;
}

export class Timeline {
  /** Repaired wraps, jumps and backward steps. */
  repairs = 0;
  readonly #clocks = new Map<Packet['track']['kind'], TrackClock>();
  #offsetMs: number | undefined;
  /** The publisher's timestamps were already repaired and are kept, unless they are behind the stream's clock. */
  #keepsClock = false;
  #previousOffsetMs = 0;
  /** Latest time returned, over both tracks. */
  #positionMs = 0;
  /** Latest presentation time returned: with B-frames it is ahead of the decode time. */
  #presentedMs = 0;
  #lastArrivalMs: number | undefined;

  /**
   * The next packet comes from a new publisher (or a new clock): it continues directly after the last one, and after all that was
   * presented.
   */
  restart({ keepsClock } = { keepsClock: false }): void {
    this.#offsetMs = undefined;
    this.#keepsClock = keepsClock;
  }

  /** Time of `raw` on the stream's clock; `now` is the arrival in milliseconds of a monotonic clock. */
  repair(raw: Packet, now: number): Packet {
    const dtsMs = this.#toStreamTime(raw, now);
    this.#lastArrivalMs = now;
    if (dtsMs > this.#positionMs) this.#positionMs = dtsMs;
    // The presentation time keeps its offset to the clock, and is never before the decode time.
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

  /** Decides which offset the packet is on, and starts a new one when none matches. */
  #followClock(raw: Packet, clock: TrackClock, now: number): void {
    const offset = this.#offsetMs!;
    // Jumps forward are kept, because the source stream has them too. A larger step back is a wrap of RTMP's 32-bit timestamps.
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

  /** The offset after a wrap, which keeps time exact; undefined when the jump is not a wrap. */
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
