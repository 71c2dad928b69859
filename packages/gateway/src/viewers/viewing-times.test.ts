import { beforeEach, expect, it } from 'vitest';
import { ViewingTimes } from './viewing-times.ts';

const viewer = { app: 'live', stream: 'x', ip: '192.0.2.1' };
const session = (clientId: string, ip = viewer.ip) => ({ ...viewer, ip, clientId });

let nowMs: number;
let times: ViewingTimes;
beforeEach(() => {
  nowMs = 1_000;
  times = new ViewingTimes(() => nowMs);
});

it('believes who has watched so long, and nobody for more', () => {
  times.begin(session('a'));
  nowMs += 10_000;
  expect(times.spend(viewer, 10)).toBe(true);
  expect(times.spend(viewer, 10)).toBe(false);
  nowMs += 10_000;
  expect(times.spend(viewer, 10)).toBe(true);
});

it('believes two behind one router for two', () => {
  times.begin(session('a'));
  times.begin(session('b'));
  nowMs += 10_000;
  expect([10, 10, 10.5].map((seconds) => times.spend(viewer, seconds))).toEqual([true, true, false]);
});

it.each([
  ['another stream', { ...viewer, stream: 'y' }],
  ['another address', { ...viewer, ip: '192.0.2.2' }],
])('knows nobody of %s', (_case, other) => {
  times.begin(session('a'));
  nowMs += 10_000;
  expect([times.knows(other), times.spend(other, 1), times.spendJoin(other)]).toEqual([false, false, false]);
});

it('knows a phone by its network', () => {
  times.begin(session('a', '2001:db8:1:2::5'));
  expect(times.knows({ ...viewer, ip: '2001:db8:1:2:9:9:9:9' })).toBe(true);
});

it('believes who watches a rendition for its stream, whichever of them it is', () => {
  times.begin({ ...session('a'), stream: 'x~720p' });
  nowMs += 10_000;
  expect(times.spend(viewer, 10)).toBe(true);
  times.end({ clientId: 'a' });
  times.begin({ ...session('b'), stream: 'x~360p' });
  nowMs += 10_000;
  expect(times.spend(viewer, 10)).toBe(true);
  expect(times.size).toBe(1);
});

it('counts one first picture for each session', () => {
  times.begin(session('a'));
  expect([times.spendJoin(viewer), times.spendJoin(viewer)]).toEqual([true, false]);
});

it('makes even an empty report cost something', () => {
  times.begin(session('a'));
  const believed = Array.from({ length: 1_000 }, () => times.spend(viewer, 0)).filter(Boolean);
  expect(believed.length).toBe(10);
});

it('keeps no more than a minute of a viewer who did not report', () => {
  times.begin(session('a'));
  nowMs += 3_600_000;
  expect([times.spend(viewer, 60), times.spend(viewer, 1)]).toEqual([true, false]);
});

it('takes the last report after the end, and forgets a minute later; an end is told once', () => {
  times.begin(session('a'));
  times.begin(session('b'));
  nowMs += 10_000;
  times.end({ clientId: 'a' });
  times.end({ clientId: 'a' });
  nowMs += 10_000;
  times.end({ clientId: 'b' });
  expect(times.spend(viewer, 10)).toBe(true);
  nowMs += 60_000;
  expect(times.knows(viewer)).toBe(false);
  expect(times.size).toBe(0);
});

it('holds ten thousand that have ended, not a million', () => {
  for (let index = 0; index < 20_000; index++) {
    const each = session(`c${index}`, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
    times.begin(each);
    times.end(each);
  }
  expect(times.size).toBe(10_000);
});
