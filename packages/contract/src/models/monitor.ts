// The state of the server for the dashboard: current metrics, alarms, workers, events and history.
import { z } from 'zod';
import { alarmCodes, monitorEventKinds, monitorRanges, monitorSeries } from '../values/monitor.ts';
import { workerKinds } from '../values/workers.ts';
import { wirePhrase } from './wire-phrase.ts';
import { workerReason, workerState } from './worker.ts';

export const monitorEvent = z.object({
  /** Number that increases with every event; a client continues after the last id that it has received. */
  id: z.number().int(),
  /** RFC 3339. */
  at: z.string(),
  kind: z.enum(monitorEventKinds),
  severity: z.enum(['info', 'warning', 'error']),
  /** Subject: a stream (`live/lobby`), a worker (`forward:wx`), one of several media servers; empty for the server itself. */
  subject: z.string(),
  /** English text, or a value of another enumeration (refusal, worker reason); without secrets. */
  detail: z.string(),
  /** `detail` as a message key; absent for other kinds of events. */
  change: wirePhrase.optional(),
  /** Address of the client that caused the event; empty for the server itself. */
  ip: z.string(),
});
export type MonitorEvent = z.infer<typeof monitorEvent>;

/** A condition that needs the operator. The console has a message and a remedy for each code. */
export const monitorAlarm = z.object({
  code: z.enum(alarmCodes),
  severity: z.enum(['warning', 'error']),
  /** Subject of the alarm: a worker, one of several media servers, or a stream (`live/lobby`); empty otherwise. */
  subject: z.string(),
  /** Free bytes, remaining days, or seconds since the start; 0 for codes without a value. */
  value: z.number(),
  /** Why the worker fails; `none` for other alarms. */
  reason: workerReason,
});
export type MonitorAlarm = z.infer<typeof monitorAlarm>;

export const monitorWorker = z.object({
  /** `forward:wx`, `vlive:…`, `transcode`. */
  id: z.string(),
  kind: z.enum(workerKinds),
  /** Label set by the operator; empty when unset. */
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

/** One of several media servers; metrics are 0 while it is unavailable. */
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
  /** Time of the snapshot, Unix milliseconds of the server. */
  atMs: z.number(),
  /** Time until the next snapshot, milliseconds. */
  nextInMs: z.number(),
  /** Start of the drain, RFC 3339; absent while the server is not draining. */
  drainingSince: z.string().optional(),
  /** `up` while at least one media server responds. */
  engine: z.enum(['up', 'away']),
  /** Each media server, if there are several. */
  mediaServers: z.array(monitorMediaServer).optional(),
  /** Internal errors that the engine has contained since it started; 0 while it is unavailable. */
  engineFaults: z.number().int(),
  streams: z.number().int(),
  viewers: z.number().int(),
  /** Number of viewers by output protocol; only protocols with viewers. */
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
    /** Time until the disk is full at the rate of the last hour, seconds; null while usage does not grow. */
    secondsLeft: z.number().nullable(),
  }),
  /** Null without a readable certificate. */
  certificate: z.object({ daysLeft: z.number().int(), selfSigned: z.boolean() }).nullable(),
  /** Enabled tasks, failing ones first; at most `maxMonitorWorkers`. */
  workers: z.array(monitorWorker),
  workersRunning: z.number().int(),
  workersFailing: z.number().int(),
  alarms: z.array(monitorAlarm),
});
export type MonitorSnapshot = z.infer<typeof monitorSnapshot>;

/** One point per interval, oldest first; intervals without measurements have points without values. */
export const monitorHistory = z.object({
  range: z.enum(monitorRanges),
  fromMs: z.number(),
  toMs: z.number(),
  /** Interval between the points, milliseconds. */
  stepMs: z.number(),
  /** Start of each interval, Unix milliseconds. */
  timesMs: z.array(z.number()),
  /** Mean of each interval. */
  mean: z.record(z.enum(monitorSeries), z.array(z.number().nullable())),
  /** Highest value of each interval. */
  peak: z.record(z.enum(monitorSeries), z.array(z.number().nullable())),
  /** Events in that time, oldest first, at most `maxMonitorEvents`. */
  events: z.array(monitorEvent),
});
export type MonitorHistory = z.infer<typeof monitorHistory>;
