/** Metrics with a history, in the order of the history file. Units: bytes, bits per second, CPU cores, shares from 0 to 1. */
export const monitorSeries = [
  'streams',
  'viewers',
  'viewersFlv',
  'viewersHls',
  'viewersRtmp',
  'viewersSrt',
  'viewersRtc',
  'viewersOther',
  'receivedBps',
  'sentBps',
  'machineCpu',
  'gatewayCpuCores',
  'platformCpuCores',
  'memoryUsedBytes',
  'gatewayMemoryBytes',
  'platformMemoryBytes',
  'diskFreeBytes',
  'workersRunning',
  'workersFailing',
] as const;
export type MonitorSeries = (typeof monitorSeries)[number];

/** Time ranges of the history, each with its own resolution. */
export const monitorRanges = ['5m', '1h', '24h', '7d'] as const;
export type MonitorRange = (typeof monitorRanges)[number];

export const monitorEventKinds = [
  'server-started',
  'publish',
  'unpublish',
  'publish-refused',
  'stream-kicked',
  'setting-changed',
  'access-changed',
  'engine-away',
  'engine-back',
  'engine-fault',
  'worker-failing',
  'worker-recovered',
  'disk-low',
  'disk-ok',
  'store-away',
  'store-back',
  'bucket-failing',
  'bucket-recovered',
  'store-replaced',
  'upgrade-started',
  'upgraded',
  'upgrade-taken-back',
] as const;
export type MonitorEventKind = (typeof monitorEventKinds)[number];

export const alarmCodes = [
  'engine-away',
  'store-away',
  'store-denied',
  'store-full',
  'store-read-only',
  'store-slow',
  'disk-full',
  'disk-low',
  'certificate-expired',
  'certificate-expiring',
  'slate-on-air',
  'worker-failing',
] as const;
