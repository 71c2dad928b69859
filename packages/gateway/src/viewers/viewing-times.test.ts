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

it('accepts the time that was watched, and no more', () => {
  times.begin(session('a'));
  nowMs += 10_000;
  expect(times.spend(viewer, 10)).toBe(true);
  expect(times.spend(viewer, 10)).toBe(false);
  nowMs += 10_000;
  expect(times.spend(viewer, 10)).toBe(true);
});

it('accepts two viewers behind one router as two', () => {
  times.begin(session('a'));
  times.begin(session('b'));
  nowMs += 10_000;
  expect([10, 10, 10.5].map((seconds) => times.spend(viewer, seconds))).toEqual([true, true, false]);
});

it.each([
  ['another stream', { ...viewer, stream: 'y' }],
  ['another address', { ...viewer, ip: '192.0.2.2' }],
])('does not accept %s', (_case, other) => {
  times.begin(session('a'));
  nowMs += 10_000;
  expect([times.knows(other), times.spend(other, 1), times.spendJoin(other)]).toEqual([false, false, false]);
});

it('recognises a phone by its network', () => {
  times.begin(session('a', '2001:db8:1:2::5'));
  expect(times.knows({ ...viewer, ip: '2001:db8:1:2:9:9:9:9' })).toBe(true);
});

it('accepts reports about a stream from viewers of any of its renditions', () => {
  times.begin({ ...session('a'), stream: 'x~720p' });
  nowMs += 10_000;
  expect(times.spend(viewer, 10)).toBe(true);
  times.end({ clientId: 'a' });
  times.begin({ ...session('b'), stream: 'x~360p' });
  nowMs += 10_000;
  expect(times.spend(viewer, 10)).toBe(true);
  expect(times.size).toBe(1);
});

it('counts one first frame per session', () => {
  times.begin(session('a'));
  expect([times.spendJoin(viewer), times.spendJoin(viewer)]).toEqual([true, false]);
});

it('deducts time even for an empty report', () => {
  times.begin(session('a'));
  const believed = Array.from({ length: 1_000 }, () => times.spend(viewer, 0)).filter(Boolean);
  expect(believed.length).toBe(10);
});

it('keeps at most a minute of unreported time', () => {
  times.begin(session('a'));
  nowMs += 3_600_000;
  expect([times.spend(viewer, 60), times.spend(viewer, 1)]).toEqual([true, false]);
});

it('accepts the last report after the end, and forgets the session a minute later; an end is processed once', () => {
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

it('keeps at most ten thousand ended sessions', () => {
  for (let index = 0; index < 20_000; index++) {
    const each = session(`c${index}`, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
    times.begin(each);
    times.end(each);
  }
  expect(times.size).toBe(10_000);
});
