// Recordings: running, being finished, done, failed, deleted.
import type { PlanRow, RecordRow, RemovedRecord, RetentionRemoval } from '@srs-stack/contract';

const gigabyte = 1024 ** 3;

function row(number: number, change: Partial<RecordRow> = {}): RecordRow {
  return {
    uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    vhost: '__defaultVhost__',
    app: 'live',
    stream: number % 2 ? 'livestream' : `camera-${number}`,
    progress: false,
    update: `2026-03-0${8 - (number % 7)}T11:05:06Z`,
    nn: 310 + number,
    duration: 3_061.46,
    size: 1_423_400_000,
    state: 'done',
    begin: `2026-03-0${8 - (number % 7)}T10:14:05Z`,
    mp4Size: 1_415_000_000,
    problemKind: null,
    problem: '',
    place: 'server',
    object: '',
    title: '',
    notes: '',
    keep: false,
    ...change,
  };
}

export const recordings: RecordRow[] = [
  row(1, { state: 'recording', progress: true, mp4Size: 0, duration: 723.2, size: 402_000_000 }),
  row(2, { state: 'finishing', progress: true, mp4Size: 0 }),
  row(3, { title: 'Finals, second half', notes: 'Court 2', keep: true, part: { number: 2, first: 'x' } }),
  row(4, {
    state: 'failed',
    mp4Size: 0,
    problemKind: 'remux',
    problem: 'Could not write header (incorrect codec parameters ?)',
  }),
  row(14, { problemKind: 'copyFolder', problem: 'not copied: /data/bucket is not a folder inside the data folder' }),
  ...Array.from({ length: 6 }, (_, index) => row(index + 5)),
];

export const removed: RemovedRecord[] = [
  { ...row(20), removedAt: '2026-03-08T09:00:00Z', purgeAt: '2026-03-09T09:00:00Z' },
  { ...row(21), removedAt: '2026-03-08T08:00:00Z', purgeAt: '2026-03-09T08:00:00Z' },
];

export const removals: RetentionRemoval[] = [
  {
    uuid: 'r-1',
    at: '2026-03-08T03:00:00Z',
    begin: '2026-02-06T02:00:00Z',
    app: 'live',
    stream: 'livestream',
    size: gigabyte,
    reason: 'age',
  },
  {
    uuid: 'r-2',
    at: '2026-03-07T03:00:00Z',
    begin: '2026-02-20T02:00:00Z',
    app: 'live',
    stream: 'camera-2',
    size: 2 * gigabyte,
    reason: 'size',
  },
];

/** Two invalid filters: the first matches no stream, the second exceeds the maximum length of a pattern. */
export const longFilters = `live/*\n/live/${'camera-'.repeat(44)}`;

export const recordRules = {
  all: true,
  home: '/data/record',
  directory: '/srv/srs-stack/data/record',
  globs: ['/live/*'],
  processCpDir: '',
};

export function recordStatus(rows: readonly RecordRow[], state: 'ok' | 'low' | 'full' = 'ok', count = rows.length) {
  const totals = {
    count,
    recording: rows.filter(({ progress }) => progress).length,
    duration: rows.reduce((sum, { duration }) => sum + duration, 0),
    size: rows.reduce((sum, { size, mp4Size }) => sum + size + mp4Size, 0),
  };
  const freeBytes = { ok: 84 * gigabyte, low: 0.9 * gigabyte, full: 0.4 * gigabyte }[state];
  const disk = { state, freeBytes, totalBytes: 500 * gigabyte, reserveBytes: gigabyte / 2 };
  return { totals, matching: totals, disk };
}

const north = { id: '9f2c41d07ab35e68', name: 'studio-north', isAway: false };
const south = { id: '27d5b1e4c0986fa3', name: 'studio-south', isAway: true };

export const clusterRecordings: RecordRow[] = recordings.map((each, index) => {
  if (index % 2 === 0) return { ...each, node: north };
  const object = 's3://films/live/camera.mp4';
  return index % 4 === 1 || each.state !== 'done'
    ? { ...each, node: south }
    : { ...each, node: south, place: 'both', object };
});
export const recordNodes = [
  { ...north, recordings: 6 },
  { ...south, recordings: 5 },
];

const planned = { glob: '/live/stage', zone: 'Europe/Berlin', enabled: true, recording: [], title: '', date: '' };

export const plan: PlanRow[] = [
  {
    ...{ ...planned, id: 'a', title: 'Sunday service', repeat: 'weekly', days: [7], start: '10:00', end: '11:30' },
    ...{ state: 'running', recording: ['live/stage'] },
    current: { from: '2026-03-08T09:00:00Z', to: '2026-03-08T10:30:00Z' },
    next: { from: '2026-03-15T09:00:00Z', to: '2026-03-15T10:30:00Z' },
  },
  {
    ...{ ...planned, id: 'b', glob: '/live/camera-*', repeat: 'weekly', days: [1, 2, 3, 4, 5], start: '22:00' },
    ...{ end: '06:00', state: 'waiting', current: null },
    next: { from: '2026-03-09T21:00:00Z', to: '2026-03-10T05:00:00Z' },
  },
  {
    ...{ ...planned, id: 'c', title: 'Finals', repeat: 'once', days: [], date: '2026-03-01', start: '20:00' },
    ...{ end: '23:00', state: 'over', current: null, next: null },
  },
  {
    ...{ ...planned, id: 'd', repeat: 'weekly', days: [3], start: '12:00', end: '13:00', enabled: false },
    ...{ state: 'off', current: null, next: { from: '2026-03-11T11:00:00Z', to: '2026-03-11T12:00:00Z' } },
  },
];

export const snapshotTimers = {
  timers: [{ glob: '/live/camera-*', seconds: 60, keep: 100 }],
  streams: [
    { app: 'live', stream: 'camera-1', count: 100, size: 21_400_000, latest: '2026-03-08T10:14:05Z' },
    { app: 'live', stream: 'stage', count: 1, size: 314_000, latest: '2026-03-07T20:14:05Z' },
  ],
};

export const snapshots = [true, true, false].map((isTimed, index) => ({
  name: `177296304500${index}-${isTimed ? 't' : 'm'}.jpg`,
  at: `2026-03-08T10:1${4 - index}:05Z`,
  size: 214_000,
  isTimed,
}));
