import type { MonitorWorker } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { alarmsOf, roomOf } from './alarms.ts';

const gigabyte = 1024 ** 3;
const worker: MonitorWorker = {
  id: 'forward:wx',
  kind: 'forward',
  label: '',
  platform: 'wx',
  state: 'running',
  reason: 'none',
  restarts: 0,
  cpuPercent: 1,
  memoryBytes: 1,
};
const healthy = {
  engine: 'up' as const,
  disk: { totalBytes: 100 * gigabyte, freeBytes: 50 * gigabyte, secondsLeft: null },
  certificate: { daysLeft: 60, selfSigned: false },
  workers: [worker],
  store: { name: 'Redis', trouble: undefined },
  slates: [],
};
const codes = (change: Partial<Parameters<typeof alarmsOf>[0]>) =>
  alarmsOf({ ...healthy, ...change }).map(({ code, severity }) => `${severity} ${code}`);

describe('alarms', () => {
  it('are none without problems', () => expect(codes({})).toEqual([]));

  it.each([
    [{ engine: 'away' as const }, ['error engine-away']],
    [{ store: { name: 'Redis', trouble: 'away' as const } }, ['error store-away']],
    [{ store: { name: 'Redis', trouble: 'full' as const } }, ['error store-full']],
    [{ store: { name: 'Redis', trouble: 'slow' as const } }, ['warning store-slow']],
    [{ slates: [{ name: 'live/a', seconds: 9 }] }, ['warning slate-on-air']],
    [{ certificate: null }, []],
    [{ certificate: { daysLeft: 14, selfSigned: false } }, []],
    [{ certificate: { daysLeft: 13, selfSigned: false } }, ['warning certificate-expiring']],
    [{ certificate: { daysLeft: -1, selfSigned: true } }, ['error certificate-expired']],
    [{ workers: [{ ...worker, state: 'waiting' as const }] }, []],
    [{ workers: [{ ...worker, state: 'retrying' as const }] }, ['warning worker-failing']],
    [
      {
        engine: 'away' as const,
        certificate: { daysLeft: 3, selfSigned: false },
        workers: [{ ...worker, state: 'error' as const }],
      },
      ['error engine-away', 'error worker-failing', 'warning certificate-expiring'],
    ],
  ])('%j gives %j', (change, expected) => expect(codes(change)).toEqual(expected));

  it('contain the operator’s label of the worker', () => {
    const failing = { ...worker, state: 'error' as const, reason: 'not-authorized' as const };
    expect(alarmsOf({ ...healthy, workers: [failing] })[0]).toMatchObject({ subject: 'wx', reason: 'not-authorized' });
    expect(alarmsOf({ ...healthy, workers: [{ ...failing, label: 'My page' }] })[0]?.subject).toBe('My page');
  });

  it.each([
    [100, 3, 'ok'],
    [100, 1.9, 'low'],
    [100, 0.4, 'full'],
    [10, 1.1, 'ok'],
    [10, 0.9, 'low'],
    [4, 0.3, 'low'],
    [4, 0.1, 'full'],
    [0, 0, 'ok'],
  ])('a disk of %d GB with %d GB left is %s', (total, free, state) => {
    expect(roomOf({ totalBytes: total * gigabyte, freeBytes: free * gigabyte })).toBe(state);
  });
});
