// Detects whether a running worker makes progress: media time must advance, at about real-time speed.
import type { WorkerReason } from '@srs-stack/contract';

/** Time without progress of the media time after which a connection counts as dead, milliseconds. */
export const stallMs = 10_000;
/**
 * Time after which a paused source counts as ended, milliseconds; longer than the 30 s after which the media server disconnects readers.
 */
export const maxPauseMs = 45_000;
/** Allowed range of the speed; 1 is real time. */
const slowestSpeed = 0.5;
const fastestSpeed = 1.5;
/** Maximum number of consecutive progress blocks outside the allowed speed. With more blocks the run fails. */
export const maxOddBlocks = 30;

interface Progress {
  readonly outTimeUs: number;
  readonly atMs: number;
}

interface Odd {
  readonly reason: WorkerReason;
  readonly count: number;
}

export class StallWatch {
  readonly #watchesSpeed: boolean;
  readonly #fastestSpeed: number;
  #movedMs: number;
  #last: Progress | undefined;
  #odd: Odd | undefined;
  #pausedMs: number | undefined;

  constructor(startedMs: number, watchesSpeed: boolean, fastest = fastestSpeed) {
    this.#movedMs = startedMs;
    this.#watchesSpeed = watchesSpeed;
    this.#fastestSpeed = fastest;
  }

  /** Handles a progress block; returns a reason when the speed has been wrong for too long. */
  onProgress(outTimeUs: number, nowMs: number): WorkerReason | undefined {
    const before = this.#last;
    if (before && outTimeUs <= before.outTimeUs) return undefined;
    const last = { outTimeUs, atMs: nowMs };
    this.#last = last;
    this.#movedMs = nowMs;
    this.#pausedMs = undefined;
    if (!before || !this.#watchesSpeed) return undefined;
    this.#odd = nextOdd(this.#odd, speedBetween(before, last), this.#fastestSpeed);
    return this.#odd && this.#odd.count > maxOddBlocks ? this.#odd.reason : undefined;
  }

  /** Called periodically; returns a reason after 10 s without progress. */
  check(nowMs: number): WorkerReason | undefined {
    return nowMs - this.#movedMs >= stallMs ? 'stalled' : undefined;
  }

  /** Called while the source is paused. A pause is not a stall, but after 45 s the source counts as ended. */
  pause(nowMs: number): WorkerReason | undefined {
    this.#pausedMs ??= nowMs;
    this.#movedMs = nowMs;
    this.#odd = undefined;
    return nowMs - this.#pausedMs >= maxPauseMs ? 'source-ended' : undefined;
  }
}

function speedBetween(a: Progress, b: Progress): number {
  const elapsedMs = b.atMs - a.atMs;
  return elapsedMs <= 0 ? 1 : (b.outTimeUs - a.outTimeUs) / 1_000 / elapsedMs;
}

function nextOdd(before: Odd | undefined, speed: number, fastest: number): Odd | undefined {
  const reason = speed < slowestSpeed ? 'too-slow' : speed > fastest ? 'too-fast' : undefined;
  if (!reason) return undefined;
  return { reason, count: before?.reason === reason ? before.count + 1 : 1 };
}
