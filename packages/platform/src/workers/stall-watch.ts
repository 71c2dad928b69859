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

interface Odd {
  readonly reason: WorkerReason;
  readonly count: number;
}

export interface StallWatch {
  /** Progress was reported; a reason when the speed has been wrong for too long. */
  onProgress(outTimeUs: number, nowMs: number): WorkerReason | undefined;
  /** To be asked now and then; a reason when nothing moved for too long. */
  check(nowMs: number): WorkerReason | undefined;
  /** The source is known to be away: waiting is no stall, up to a limit. */
  pause(nowMs: number): WorkerReason | undefined;
}

export function createStallWatch(startedMs: number, watchesSpeed: boolean, fastest = fastestSpeed): StallWatch {
  let movedMs = startedMs;
  let last: { outTimeUs: number; atMs: number } | undefined;
  let odd: Odd | undefined;
  let pausedMs: number | undefined;
  return {
    onProgress(outTimeUs, nowMs) {
      const before = last;
      if (before && outTimeUs <= before.outTimeUs) return undefined;
      last = { outTimeUs, atMs: nowMs };
      movedMs = nowMs;
      pausedMs = undefined;
      if (!before || !watchesSpeed) return undefined;
      odd = nextOdd(odd, speedBetween(before, last), fastest);
      return odd && odd.count > maxOddBlocks ? odd.reason : undefined;
    },
    check: (nowMs) => (nowMs - movedMs >= stallMs ? 'stalled' : undefined),
    pause(nowMs) {
      pausedMs ??= nowMs;
      movedMs = nowMs;
      odd = undefined;
      return nowMs - pausedMs >= maxPauseMs ? 'source-ended' : undefined;
    },
  };
}

function speedBetween(a: { outTimeUs: number; atMs: number }, b: { outTimeUs: number; atMs: number }): number {
  const elapsedMs = b.atMs - a.atMs;
  return elapsedMs <= 0 ? 1 : (b.outTimeUs - a.outTimeUs) / 1_000 / elapsedMs;
}

function nextOdd(before: Odd | undefined, speed: number, fastest: number): Odd | undefined {
  const reason = speed < slowestSpeed ? 'too-slow' : speed > fastest ? 'too-fast' : undefined;
  if (!reason) return undefined;
  return { reason, count: before?.reason === reason ? before.count + 1 : 1 };
}
