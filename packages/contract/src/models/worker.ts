// A supervised FFmpeg process for the console: state, reason, last hour, and resource usage.
import { z } from 'zod';
import { workerKinds, workerReasons, workerStates } from '../values/workers.ts';
import { wirePhrase } from './wire-phrase.ts';

export const workerKind = z.enum(workerKinds);
export type WorkerKind = z.infer<typeof workerKind>;

export const workerState = z.enum(workerStates);
export type WorkerState = z.infer<typeof workerState>;

export const workerReason = z.enum(workerReasons);
export type WorkerReason = z.infer<typeof workerReason>;

/** Last progress line of FFmpeg; both strings are empty before the first one. */
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
  /** English message, with FFmpeg's own message if there is one; secrets masked. */
  reasonDetail: z.string(),
  /** `reasonDetail` as a message key of the worker details; absent if there is nothing to report. */
  detail: wirePhrase.optional(),
  /** Time to the next attempt; 0 unless `retrying` or `error`. */
  retryInMs: z.number(),
  /** Restarts since the task was enabled. */
  restarts: z.number().int(),
  /** Process id; 0 while none runs. */
  pid: z.number().int(),
  /** CPU usage of the last seconds, percent of one core. */
  cpuPercent: z.number(),
  /** Resident memory, bytes. */
  rssBytes: z.number(),
  /** The exact command line, secrets masked; empty while no process runs. */
  command: z.string(),
  /** Oldest first, one per minute, at most 60. */
  heartbeat: z.array(workerHeartbeat),
});
export type WorkerStatus = z.infer<typeof workerStatus>;

/** The latest failure since the task was enabled, even if the worker runs again. */
export const workerFailure = z.object({
  /** RFC 3339. */
  at: z.string(),
  reason: workerReason,
  /** English message of the failure, as `reasonDetail` of `workerStatus`. */
  reasonDetail: z.string(),
  detail: wirePhrase.optional(),
});
export type WorkerFailure = z.infer<typeof workerFailure>;

/** Metrics of a push; present while the media server itself sends to the target. */
export const pushMetrics = z.object({
  /** Mean of the last five seconds, and one value per five seconds of the last five minutes, oldest first. */
  bitrateKbps: z.number(),
  bitrateHistoryKbps: z.array(z.number()),
  /** Duration of the media that is queued for the target, milliseconds. */
  queuedMs: z.number(),
  /** Video frames that the current connection has dropped because the target was too slow. */
  droppedFrames: z.number().int(),
  /** Number of connections after the first one. */
  reconnects: z.number().int(),
});
export type PushMetrics = z.infer<typeof pushMetrics>;

/** Fields of a status row that are present only while the process runs. */
export const workerRun = z.object({
  frame: workerFrame.optional(),
  /** RFC 3339: start of the process, and time of its first media (empty until then). */
  start: z.string().optional(),
  ready: z.string().optional(),
});
