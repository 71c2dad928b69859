// Decides whether a running worker makes progress: media time must move, and about as fast as the clock.
import type { WorkerReason } from '@srs-stack/contract';

/** Media time that does not move for this long means a dead connection, milliseconds. */
export const stallMs = 10_000;
/** A source that pauses for this long is gone: the media server lets readers go after 30 s, milliseconds. */
export const maxPauseMs = 45_000;
/** Speeds outside of these, against the clock, for more than `maxOddBlocks` blocks of progress in a row. */
const slowestSpeed = 0.5;
const fastestSpeed = 1.5;
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

  /** Progress was reported; a reason when the speed has been wrong for too long. */
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

  /** To be asked now and then; a reason when nothing moved for too long. */
  check(nowMs: number): WorkerReason | undefined {
    return nowMs - this.#movedMs >= stallMs ? 'stalled' : undefined;
  }

  /** The source is known to be away: waiting is no stall, up to a limit. */
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
