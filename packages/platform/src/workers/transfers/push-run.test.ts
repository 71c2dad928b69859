// The status row of a push: bitrate, delay, and the latest failure, which stays visible after a successful reconnect.
import { describe, expect, it, test } from 'vitest';
import { createLogRing } from '../log-ring.ts';
import type { TransferRow } from './engine-transfers.ts';
import { PushRun } from './push-run.ts';

const startMs = Date.parse('2026-03-08T12:00:00Z');
const row = (change: Partial<TransferRow> = {}): TransferRow => ({
  ...{ id: 'a', stream: 'live/a', state: 'publishing', reason: 'none', detail: '', retryInMs: 0, reconnects: 0 },
  ...{ sentBytes: 0, sentFrames: 0, droppedFrames: 0, mediaMs: 0, queuedBytes: 0, queuedMs: 0 },
  ...change,
});
const newRun = () => new PushRun(createLogRing(() => (text) => text));

test('metrics of a push: rate of the last five seconds, delay, dropped frames, reconnects', () => {
  const run = newRun();
  expect(run.metrics()).toBeUndefined();
  run.update(row(), startMs);
  run.update(row({ sentBytes: 1_250_000, queuedMs: 840, droppedFrames: 25, reconnects: 2 }), startMs + 5_000);
  expect(run.metrics()).toEqual({
    ...{ bitrateKbps: 2_000, bitrateHistoryKbps: [2_000] },
    ...{ queuedMs: 840, droppedFrames: 25, reconnects: 2 },
  });
});

test('a pull has no metrics of a push', () => {
  const run = newRun();
  run.update(row({ isPull: true, sentBytes: 500 }), startMs);
  expect(run.metrics()).toBeUndefined();
});

test('the latest failure stays while the push sends again, with its own time', () => {
  const run = newRun();
  run.update(row({ lastFailure: { reason: 'stalled', detail: '', agoMs: 90_000 } }), startMs);
  expect(run.lastFailure(startMs)).toMatchObject({ atMs: startMs - 90_000, reason: 'stalled' });
  expect(run.lastFailure(startMs)?.detail.text).toContain('10 s');
});

const waiting: TransferRow = {
  ...{ id: 'a#1', stream: 'live/s', state: 'waiting', reason: 'none', detail: '', retryInMs: 0, reconnects: 0 },
  ...{ sentBytes: 0, sentFrames: 0, droppedFrames: 0, mediaMs: 0, queuedBytes: 0, queuedMs: 0 },
};

describe('a push whose stream is delayed', () => {
  it('waits, with the remaining seconds, until the target receives it', () => {
    const run = new PushRun(createLogRing(() => (text) => text));
    expect(run.update({ ...waiting, startsInMs: 19_001 }, 0)).toMatchObject({
      ...{ state: 'waiting', reason: 'delayed' },
      detail: { key: 'delay-filling', values: { seconds: 20 } },
    });
    expect(run.update(waiting, 0)).toMatchObject({ state: 'starting', reason: 'none' });
  });
});
