// The dashboard: current metrics, an alarm, a failing worker, events, and an hour of history.
import {
  type MonitorEvent,
  type MonitorHistory,
  type MonitorSeries,
  type MonitorSnapshot,
  monitorSeries,
} from '@srs-stack/contract';
import { now } from './now.ts';

const gigabyte = 1024 ** 3;

export const snapshot: MonitorSnapshot = {
  atMs: now.getTime(),
  nextInMs: 5_000,
  engine: 'up',
  engineFaults: 0,
  streams: 1,
  viewers: 1_284,
  viewersByProtocol: { flv: 812, hls: 431, rtc: 41 },
  receivedBps: 4_512_000,
  sentBps: 5_793_000_000,
  cpu: { machine: 0.31, cores: 8, gatewayCores: 0.9, platformCores: 0.1 },
  memory: {
    totalBytes: 16 * gigabyte,
    usedBytes: 5.2 * gigabyte,
    gatewayBytes: 0.4 * gigabyte,
    platformBytes: 0.2 * gigabyte,
  },
  disk: { totalBytes: 500 * gigabyte, freeBytes: 84 * gigabyte, secondsLeft: 270_000 },
  certificate: { daysLeft: 54, selfSigned: false },
  workers: [
    {
      id: 'forward:bilibili',
      kind: 'forward',
      label: 'Main channel',
      platform: 'bilibili',
      state: 'retrying',
      reason: 'not-authorized',
      restarts: 7,
      cpuPercent: 0,
      memoryBytes: 0,
    },
    {
      id: 'forward:wx',
      kind: 'forward',
      label: '',
      platform: 'wx',
      state: 'running',
      reason: 'none',
      restarts: 0,
      cpuPercent: 3.4,
      memoryBytes: 41_300_000,
    },
  ],
  workersRunning: 1,
  workersFailing: 1,
  alarms: [
    { code: 'worker-failing', severity: 'warning', subject: 'Main channel', value: 0, reason: 'not-authorized' },
  ],
};

export const partlyAway = {
  snapshot: {
    ...snapshot,
    mediaServers: [
      { name: 'gateway-0', isUp: true, cpuCores: 0.9, memoryBytes: 0.4 * gigabyte, connections: 1_284 },
      { name: 'gateway-1', isUp: false, cpuCores: 0, memoryBytes: 0, connections: 0 },
    ],
    alarms: [{ code: 'engine-away', severity: 'error', subject: 'gateway-1', value: 0, reason: 'none' }],
  },
  events: [],
} satisfies { snapshot: MonitorSnapshot; events: MonitorEvent[] };

export const quiet = {
  snapshot: {
    ...snapshot,
    streams: 0,
    viewers: 0,
    viewersByProtocol: {},
    receivedBps: 0,
    sentBps: 0,
    workers: [],
    workersRunning: 0,
    workersFailing: 0,
    alarms: [],
  },
  events: [],
} satisfies { snapshot: MonitorSnapshot; events: MonitorEvent[] };

const event = (id: number, change: Partial<MonitorEvent>): MonitorEvent => ({
  id,
  at: new Date(now.getTime() - id * 420_000).toISOString(),
  kind: 'publish',
  severity: 'info',
  subject: 'live/livestream',
  detail: '',
  ip: '203.0.113.24',
  ...change,
});
export const events: MonitorEvent[] = [
  event(1, {
    kind: 'worker-failing',
    severity: 'warning',
    subject: 'Main channel',
    detail: 'not-authorized',
    ip: '',
  }),
  event(2, {}),
  event(3, { kind: 'publish-refused', severity: 'warning', detail: 'publish-secret-wrong', ip: '198.51.100.77' }),
  event(4, { kind: 'server-started', subject: '', ip: '' }),
];

export const troubled = {
  snapshot: {
    ...snapshot,
    certificate: { daysLeft: 3, selfSigned: false },
    disk: { totalBytes: 500 * gigabyte, freeBytes: 0.4 * gigabyte, secondsLeft: 1_300 },
    alarms: [
      { code: 'disk-full', severity: 'error', subject: '', value: 0.4 * gigabyte, reason: 'none' },
      { code: 'certificate-expiring', severity: 'warning', subject: '', value: 3, reason: 'none' },
      { code: 'slate-on-air', severity: 'warning', subject: 'live/lobby', value: 95, reason: 'none' },
      ...snapshot.alarms,
    ],
  },
  events,
} satisfies { snapshot: MonitorSnapshot; events: MonitorEvent[] };
export const engineAway = {
  snapshot: {
    ...snapshot,
    engine: 'away',
    streams: 0,
    viewers: 0,
    viewersByProtocol: {},
    alarms: [{ code: 'engine-away', severity: 'error', subject: '', value: 0, reason: 'none' }],
  },
  events,
} satisfies { snapshot: MonitorSnapshot; events: MonitorEvent[] };

const steps = 60;
const stepMs = 60_000;
const fromMs = now.getTime() - steps * stepMs;
const wave = (mean: number) =>
  Array.from({ length: steps }, (_, step) => Math.max(0, mean * (1 + 0.15 * Math.sin(step / 6))));
const size: Partial<Record<MonitorSeries, number>> = {
  streams: 1,
  viewers: 1_200,
  viewersFlv: 760,
  viewersHls: 400,
  viewersRtc: 40,
  receivedBps: 4_500_000,
  sentBps: 5_400_000_000,
  machineCpu: 0.3,
  gatewayCpuCores: 0.9,
  platformCpuCores: 0.1,
  memoryUsedBytes: 5 * gigabyte,
  gatewayMemoryBytes: 0.4 * gigabyte,
  platformMemoryBytes: 0.2 * gigabyte,
  diskFreeBytes: 84 * gigabyte,
  workersRunning: 1,
  workersFailing: 1,
};
const series = Object.fromEntries(monitorSeries.map((name) => [name, wave(size[name] ?? 0)])) as MonitorHistory['mean'];

export const history: MonitorHistory = {
  range: '1h',
  fromMs,
  toMs: now.getTime(),
  stepMs,
  timesMs: Array.from({ length: steps }, (_, step) => fromMs + step * stepMs),
  mean: series,
  peak: series,
  events: [...events].reverse(),
};
