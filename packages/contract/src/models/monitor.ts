// The state of the whole server as the dashboard shows it: figures of now, alarms, workers, events, and the history.
import { z } from 'zod';
import { alarmCodes, monitorEventKinds, monitorRanges, monitorSeries } from '../values/monitor.ts';
import { workerKinds } from '../values/workers.ts';
import { wirePhrase } from './wire-phrase.ts';
import { workerReason, workerState } from './worker.ts';

export const monitorEvent = z.object({
  /** Rises by one with every event; where a reader went on reading. */
  id: z.number().int(),
  /** RFC 3339. */
  at: z.string(),
  kind: z.enum(monitorEventKinds),
  severity: z.enum(['info', 'warning', 'error']),
  /** What it is about: a stream (`live/lobby`), a worker (`forward:wx`), one of several media servers; empty for the server itself. */
  subject: z.string(),
  /** In English, or a name of another catalogue (refusal, worker reason); without secrets. */
  detail: z.string(),
  /** `detail` by its key in the catalogue of changes, for who tells it in another language; absent in other kinds. */
  change: wirePhrase.optional(),
  /** Address of who caused it; empty for the server itself. */
  ip: z.string(),
});
export type MonitorEvent = z.infer<typeof monitorEvent>;

/** A condition that needs the operator. The console has a sentence and a remedy for each code. */
export const monitorAlarm = z.object({
  code: z.enum(alarmCodes),
  severity: z.enum(['warning', 'error']),
  /** The worker it is about, or the one of several media servers; empty otherwise. */
  subject: z.string(),
  /** Bytes left, or days left; 0 where the code has no figure. */
  value: z.number(),
  /** Why a worker fails; `none` otherwise. */
  reason: workerReason,
});
export type MonitorAlarm = z.infer<typeof monitorAlarm>;

export const monitorWorker = z.object({
  /** `forward:wx`, `vlive:…`, `transcode`. */
  id: z.string(),
  kind: z.enum(workerKinds),
  /** What the operator calls it; empty when it has no name. */
  label: z.string(),
  /** Platform key of a forward or virtual live target; empty otherwise. */
  platform: z.string(),
  state: workerState,
  reason: workerReason,
  restarts: z.number().int(),
  cpuPercent: z.number(),
  memoryBytes: z.number(),
});
export type MonitorWorker = z.infer<typeof monitorWorker>;

/** One of several media servers; figures are 0 while it is away. */
export const monitorMediaServer = z.object({
  /** `gateway-0`, or `host:port` of an SRS. */
  name: z.string(),
  isUp: z.boolean(),
  cpuCores: z.number(),
  memoryBytes: z.number(),
  connections: z.number().int(),
});
export type MonitorMediaServer = z.infer<typeof monitorMediaServer>;

export const monitorSnapshot = z.object({
  /** When it was taken, Unix milliseconds of the server. */
  atMs: z.number(),
  /** Milliseconds until the next one is due. */
  nextInMs: z.number(),
  /** Since when this server is being drained, RFC 3339; absent while it is not. */
  drainingSince: z.string().optional(),
  /** `up` while at least one media server answers. */
  engine: z.enum(['up', 'away']),
  /** Each media server, where there are several. */
  mediaServers: z.array(monitorMediaServer).optional(),
  /** Errors of its own that the engine contained since it started; 0 while it is away. */
  engineFaults: z.number().int(),
  streams: z.number().int(),
  viewers: z.number().int(),
  /** By the way they watch; only those with viewers. */
  viewersByProtocol: z.record(z.string(), z.number().int()),
  receivedBps: z.number(),
  sentBps: z.number(),
  cpu: z.object({
    /** Share of all cores, 0 to 1. */
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
    /** Until it is full at the rate of the last hour; null while it does not fill. */
    secondsLeft: z.number().nullable(),
  }),
  /** Null while there is none that can be read. */
  certificate: z.object({ daysLeft: z.number().int(), selfSigned: z.boolean() }).nullable(),
  /** Switched-on tasks, failing ones first; at most `maxMonitorWorkers`. */
  workers: z.array(monitorWorker),
  workersRunning: z.number().int(),
  workersFailing: z.number().int(),
  alarms: z.array(monitorAlarm),
});
export type MonitorSnapshot = z.infer<typeof monitorSnapshot>;

/** One point per time, oldest first; a gap in the record is a point without values. */
export const monitorHistory = z.object({
  range: z.enum(monitorRanges),
  fromMs: z.number(),
  toMs: z.number(),
  /** Distance of the points. */
  stepMs: z.number(),
  /** Start of each step, Unix milliseconds. */
  timesMs: z.array(z.number()),
  /** Mean of each step. */
  mean: z.record(z.enum(monitorSeries), z.array(z.number().nullable())),
  /** Highest value seen in each step. */
  peak: z.record(z.enum(monitorSeries), z.array(z.number().nullable())),
  /** What happened in that time, oldest first, at most `maxMonitorEvents`. */
  events: z.array(monitorEvent),
});
export type MonitorHistory = z.infer<typeof monitorHistory>;
