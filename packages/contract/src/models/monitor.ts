// Data of the dashboard: current metrics, alarms, workers, events and history.
import { z } from 'zod';
import { alarmCodes, monitorEventKinds, monitorRanges, monitorSeries } from '../values/monitor.ts';
import { workerKinds } from '../values/workers.ts';
import { wirePhrase } from './wire-phrase.ts';
import { workerReason, workerState } from './worker.ts';

export const monitorEvent = z.object({
  /** Increases with every event. Clients continue after the last received id. */
  id: z.number().int(),
  /** RFC 3339. */
  at: z.string(),
  kind: z.enum(monitorEventKinds),
  severity: z.enum(['info', 'warning', 'error']),
  /** Subject of the event: a stream (`live/lobby`), a worker (`forward:wx`) or a media server; '' for the server itself. */
  subject: z.string(),
  /** English text, or an enumeration value (refusal, worker reason); without secrets. */
  detail: z.string(),
  /** Message key of `detail`; absent for events without translation. */
  change: wirePhrase.optional(),
  /** Address of the client that caused the event; '' for the server itself. */
  ip: z.string(),
});
export type MonitorEvent = z.infer<typeof monitorEvent>;

/** A condition that requires the operator. The console has an explanation and a remedy for each code. */
export const monitorAlarm = z.object({
  code: z.enum(alarmCodes),
  severity: z.enum(['warning', 'error']),
  /** Subject of the alarm: a worker, a media server or a stream (`live/lobby`); else ''. */
  subject: z.string(),
  /** Free bytes, remaining days, or seconds since the start, depending on the code; 0 for codes without a value. */
  value: z.number(),
  /** Reason for a failing worker; `none` for other alarms. */
  reason: workerReason,
});
export type MonitorAlarm = z.infer<typeof monitorAlarm>;

export const monitorWorker = z.object({
  /** Id such as `forward:wx`, `vlive:…` or `transcode`. */
  id: z.string(),
  kind: z.enum(workerKinds),
  /** Label set by the operator; may be empty. */
  label: z.string(),
  /** Platform key of a forward or virtual live target; '' for other workers. */
  platform: z.string(),
  state: workerState,
  reason: workerReason,
  restarts: z.number().int(),
  cpuPercent: z.number(),
  memoryBytes: z.number(),
});
export type MonitorWorker = z.infer<typeof monitorWorker>;

/** A media server; metrics are 0 while unavailable. */
export const monitorMediaServer = z.object({
  /** `gateway-0`, or `host:port` of an SRS server. */
  name: z.string(),
  isUp: z.boolean(),
  cpuCores: z.number(),
  memoryBytes: z.number(),
  connections: z.number().int(),
});
export type MonitorMediaServer = z.infer<typeof monitorMediaServer>;

export const monitorSnapshot = z.object({
  /** Time of the snapshot by the server's clock, Unix milliseconds. */
  atMs: z.number(),
  nextInMs: z.number(),
  /** Start of the drain, RFC 3339; absent while not draining. */
  drainingSince: z.string().optional(),
  /** `up` if at least one media server responds. */
  engine: z.enum(['up', 'away']),
  /** Metrics of each media server; absent with a single media server. */
  mediaServers: z.array(monitorMediaServer).optional(),
  /** Number of internal errors that the media server survived since its start; 0 while unavailable. */
  engineFaults: z.number().int(),
  streams: z.number().int(),
  viewers: z.number().int(),
  /** Number of viewers by output protocol, without protocols that have no viewers. */
  viewersByProtocol: z.record(z.string(), z.number().int()),
  receivedBps: z.number(),
  sentBps: z.number(),
  cpu: z.object({
    /** Share of all CPU cores, 0 to 1. */
    machine: z.number(),
    cores: z.number().int(),
    gatewayCores: z.number(),
    platformCores: z.number(),
  }),
  memory: z.object({
    totalBytes: z.number(),
    usedBytes: z.number(),
    gatewayBytes: z.number(),
    platformBytes: z.number(),
  }),
  disk: z.object({
    totalBytes: z.number(),
    freeBytes: z.number(),
    /** Seconds until the disk is full at the rate of the last hour; null while disk usage does not grow. */
    secondsLeft: z.number().nullable(),
  }),
  /** Null without a readable certificate. */
  certificate: z.object({ daysLeft: z.number().int(), selfSigned: z.boolean() }).nullable(),
  /** Enabled tasks, failing tasks first; at most `maxMonitorWorkers`. */
  workers: z.array(monitorWorker),
  workersRunning: z.number().int(),
  workersFailing: z.number().int(),
  alarms: z.array(monitorAlarm),
});
export type MonitorSnapshot = z.infer<typeof monitorSnapshot>;

/** One point per interval, oldest first. Intervals without measurements have null values. */
export const monitorHistory = z.object({
  range: z.enum(monitorRanges),
  fromMs: z.number(),
  toMs: z.number(),
  stepMs: z.number(),
  /** Start times of the intervals, Unix milliseconds. */
  timesMs: z.array(z.number()),
  mean: z.record(z.enum(monitorSeries), z.array(z.number().nullable())),
  peak: z.record(z.enum(monitorSeries), z.array(z.number().nullable())),
  /** Events in the range, oldest first, at most `maxMonitorEvents`. */
  events: z.array(monitorEvent),
});
export type MonitorHistory = z.infer<typeof monitorHistory>;
