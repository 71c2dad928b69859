import { expect, it } from 'vitest';
import { noSplit } from '../rules/record-split.ts';
import { isFull, newTask } from './record-task.ts';

const next = { durationSeconds: 2, sizeBytes: 1_000 };

it('a file without limits ends after 24 hours of the default segments', () => {
  const source = { vhost: '', app: 'live', stream: 's', m3u8Url: 'u', file: 'f', url: 'f', durationSeconds: 2 };
  const task = newTask({ ...source, sequenceNumber: 1 }, new Date(0), 0);
  const stored = { run: 0, durationMs: 2_000, mark: '', isDiscontinuous: false, sizeBytes: 1_000, writtenAtMs: 0 };
  for (let sequence = 1; sequence < 24 * 1_800; sequence++) task.segments.push({ ...stored, sequence });
  expect(isFull(task, noSplit, next)).toBe(false);
  task.segments.push({ ...stored, sequence: 24 * 1_800 });
  expect(isFull(task, noSplit, next)).toBe(true);
});
