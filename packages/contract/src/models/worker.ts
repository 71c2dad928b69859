// A supervised FFmpeg process as the console shows it: state, reason, last hour, and what it costs.
import { z } from 'zod';
import { workerKinds, workerReasons, workerStates } from '../values/workers.ts';
import { wirePhrase } from './wire-phrase.ts';

export const workerKind = z.enum(workerKinds);
export type WorkerKind = z.infer<typeof workerKind>;

export const workerState = z.enum(workerStates);
export type WorkerState = z.infer<typeof workerState>;

export const workerReason = z.enum(workerReasons);
export type WorkerReason = z.infer<typeof workerReason>;

/** Last progress line of FFmpeg; both texts are empty until the first one. */
export const workerFrame = z.object({
  log: z.string(),
  /** RFC 3339. */
  update: z.string(),
});
export type WorkerFrame = z.infer<typeof workerFrame>;

/** The worst state of one minute. */
export const workerHeartbeat = z.object({
  /** RFC 3339, start of the minute. */
  at: z.string(),
  state: workerState,
  reason: workerReason,
});
export type WorkerHeartbeat = z.infer<typeof workerHeartbeat>;

/** Fields of every status row; older clients ignore them. */
export const workerStatus = z.object({
  state: workerState,
  reason: workerReason,
  /** Sentence in English, with FFmpeg's own words where there are any; secrets masked. */
  reasonDetail: z.string(),
  /** The same by its key in the catalogue of worker details; absent where there is nothing to say. */
  detail: wirePhrase.optional(),
  /** Time to the next attempt; 0 unless `retrying` or `error`. */
  retryInMs: z.number(),
  /** Starts after the first one, since the task was switched on. */
  restarts: z.number().int(),
  /** Process id; 0 while none runs. */
  pid: z.number().int(),
  /** Percent of one core over the last seconds. */
  cpuPercent: z.number(),
  /** Resident memory, bytes. */
  rssBytes: z.number(),
  /** The exact command line, secrets masked; empty while no process runs. */
  command: z.string(),
  /** Oldest first, one per minute, at most 60. */
  heartbeat: z.array(workerHeartbeat),
});
export type WorkerStatus = z.infer<typeof workerStatus>;

/** Present while the process runs. */
export const workerRun = z.object({
  frame: workerFrame.optional(),
  /** RFC 3339: when the process started, and when its first media came through (empty until then). */
  start: z.string().optional(),
  ready: z.string().optional(),
});
