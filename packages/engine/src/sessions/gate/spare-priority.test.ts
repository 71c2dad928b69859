import { expect, it } from 'vitest';
import { sparePriorityOf } from './spare-priority.ts';

it.each([
  ['?secret=x&priority=2', 2],
  ['?priority=3&secret=x', 3],
  ['priority=2,secret=x', undefined],
  ['priority=2&secret=x', 2],
  ['app=live&stream=a&secret=x&priority=10', 10],
  ['', undefined],
  ['?secret=x', undefined],
  ['?secret=x&priority=1', undefined],
  ['?secret=x&priority=0', undefined],
  ['?secret=x&priority=', undefined],
  ['?secret=x&priority=abc', undefined],
  ['?secret=x&priority=-2', undefined],
  ['?secret=x&priority=2.5', undefined],
  ['?secret=x&priority=1000', undefined],
  ['?xpriority=2', undefined],
])('%s', (param, priority) => {
  expect(sparePriorityOf({ type: 'fmle-publish', param })).toBe(priority);
});

it.each(['rtmp-play', 'copy-publish', 'channel-publish', 'slate-publish', 'udp-publish', 'hls-publish'] as const)(
  'is ignored for %s',
  (type) => {
    expect(sparePriorityOf({ type, param: 'priority=2' })).toBeUndefined();
  },
);
