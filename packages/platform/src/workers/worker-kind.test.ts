import { expect, test } from 'vitest';
import { kindOfWorker } from './worker-kind.ts';

test.each([
  ['forward-wx', 'forward'],
  ['vlive-kuaishou', 'vlive'],
  ['transcode', 'transcode'],
  ['ladder:live/show', 'transcode'],
  ['demo', undefined],
  ['camera-door', undefined],
])('a worker %s is of the kind %s', (id, kind) => {
  expect(kindOfWorker(id)).toBe(kind);
});
