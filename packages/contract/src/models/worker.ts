// Current state, states of the last hour, and resource usage of a task (FFmpeg, or a transfer of the media server), for the console.
import { z } from 'zod';
import { workerKinds, workerReasons, workerStates } from '../values/workers.ts';
import { wirePhrase } from './wire-phrase.ts';

export const workerKind = z.enum(workerKinds);
export type WorkerKind = z.infer<typeof workerKind>;

export const workerState = z.enum(workerStates);
export type WorkerState = z.infer<typeof workerState>;

export const workerReason = z.enum(workerReasons);
export type WorkerReason = z.infer<typeof workerReason>;

/** Last progress line of FFmpeg; both strings are empty before the first line. */
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

/** Status of a worker in responses. Older clients ignore these fields. */
export const workerStatus = z.object({
  state: workerState,
  reason: workerReason,
  /** English message, including FFmpeg's message if there is one. Secrets are masked. */
  reasonDetail: z.string(),
  /** `reasonDetail` as a translatable message; absent if there is nothing to report. */
  detail: wirePhrase.optional(),
  /** Time to the next attempt; 0 in all states except `retrying` and `error`. */
  retryInMs: z.number(),
  /** Restarts since the task was enabled. */
  restarts: z.number().int(),
  /** Process id; 0 while no process runs. */
  pid: z.number().int(),
  /** CPU usage of the last seconds, percent of one core. */
  cpuPercent: z.number(),
  /** Resident memory, bytes. */
  rssBytes: z.number(),
  /** The exact command line, secrets masked; empty while no process runs. */
  command: z.string(),
  /** Oldest minute first; at most 60 minutes. */
  heartbeat: z.array(workerHeartbeat),
});
export type WorkerStatus = z.infer<typeof workerStatus>;

/** The latest failure since the task was enabled. It remains after the worker has recovered. */
export const workerFailure = z.object({
  /** RFC 3339. */
  at: z.string(),
  reason: workerReason,
  reasonDetail: z.string(),
  detail: wirePhrase.optional(),
});
export type WorkerFailure = z.infer<typeof workerFailure>;

/** Metrics of a push by the media server; absent while FFmpeg sends the stream. */
export const pushMetrics = z.object({
  /** `bitrateKbps`: mean of the last 5 seconds. History: one value per 5 seconds of the last 5 minutes, oldest first. */
  bitrateKbps: z.number(),
  bitrateHistoryKbps: z.array(z.number()),
  /** Duration of the media queued for the target, milliseconds. */
  queuedMs: z.number(),
  /** Video frames dropped on the current connection because the target was too slow. */
  droppedFrames: z.number().int(),
  reconnects: z.number().int(),
});
export type PushMetrics = z.infer<typeof pushMetrics>;

/** Fields of a status row that are present only while FFmpeg or a transfer of the media server runs. */
export const workerRun = z.object({
  frame: workerFrame.optional(),
  /** RFC 3339. `start`: start of the process or transfer. `ready`: arrival of its first media, empty before. */
  start: z.string().optional(),
  ready: z.string().optional(),
});
