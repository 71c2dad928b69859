import type { WorkerHeartbeat } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import {
  heartbeatSlots,
  heartbeatSummary,
  retryInSeconds,
  shownReason,
  type WorkerFacts,
  workerPhase,
} from './worker-phase.ts';

const facts = (change: Partial<WorkerFacts>): WorkerFacts => ({
  enabled: true,
  state: 'waiting',
  reason: 'none',
  retryInMs: 0,
  ...change,
});
const frame = { log: 'frame=10 size=1kB', update: '2026-11-21T10:00:00Z' };

test.each([
  ['not enabled', facts({ enabled: false, state: 'running', frame }), 'inactive'],
  ['enabled, no frame', facts({ state: 'starting' }), 'waiting'],
  ['enabled, frame still empty', facts({ state: 'starting', frame: { log: '', update: '' } }), 'waiting'],
  ['enabled with a frame', facts({ state: 'running', frame }), 'active'],
  ['failed with an old frame', facts({ state: 'retrying', frame }), 'retrying'],
  ['failed permanently', facts({ state: 'error' }), 'failed'],
])('%s', (_name, row, phase) => {
  expect(workerPhase(row)).toBe(phase);
});

test.each([
  [8_000, 0, 8],
  [8_000, 1, 8],
  [8_000, 7_001, 1],
  [8_000, 8_000, 0],
  [8_000, 60_000, 0],
  [8_000, -500, 8],
])('%d ms left in a row that is %d ms old: %d s', (retryInMs, ageMs, seconds) => {
  expect(retryInSeconds(retryInMs, ageMs)).toBe(seconds);
});

test('a reason is shown while it keeps the stream off air, and not afterwards', () => {
  expect(shownReason(facts({ state: 'waiting', reason: 'source-not-live' }))).toBe('source-not-live');
  expect(shownReason(facts({ state: 'retrying', reason: 'connection-refused' }))).toBe('connection-refused');
  expect(shownReason(facts({ state: 'running', reason: 'stalled', frame }))).toBeUndefined();
  expect(shownReason(facts({ enabled: false, reason: 'killed' }))).toBeUndefined();
  expect(shownReason(facts({ state: 'starting' }))).toBeUndefined();
});

test('minutes are at their position; gaps stay empty; older and future ones are omitted', () => {
  const now = Date.parse('2026-11-21T10:30:20Z');
  const beat = (at: string, state: WorkerHeartbeat['state']): WorkerHeartbeat => ({ at, state, reason: 'none' });
  const slots = heartbeatSlots(
    [
      beat('2026-11-21T09:00:00Z', 'running'),
      beat('2026-11-21T09:31:00Z', 'running'),
      beat('2026-11-21T10:28:00Z', 'retrying'),
      beat('2026-11-21T10:30:00Z', 'running'),
      beat('2026-11-21T10:31:00Z', 'running'),
    ],
    now,
  );
  expect(slots).toHaveLength(60);
  expect(slots.flatMap((slot, index) => (slot ? [index] : []))).toEqual([0, 57, 59]);
  expect(heartbeatSummary(slots)).toEqual({ none: 57, off: 0, waiting: 0, good: 2, retrying: 1, failed: 0 });
});
