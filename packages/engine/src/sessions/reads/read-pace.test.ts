import { expect, it, test } from 'vitest';
import { ReadPace } from './read-pace.ts';

/** Pauses, in milliseconds, of a connection with this bitrate over some seconds. After each pause, all data is read. */
function restsAt(kbps: number): number[] {
  const pace = new ReadPace(0);
  const rests: number[] = [];
  let restMs = 0;
  for (let now = 0; now < 5_000; now += restMs || 10) {
    pace.count((kbps / 8) * (restMs || 10));
    restMs = pace.restMs(now);
    rests.push(restMs);
  }
  return rests.slice(10);
}

it.each([
  [500, 100],
  [3_000, 100],
  [6_000, 66],
  [10_000, 39],
])('pauses of a connection that sends %s kbps last %s ms', (kbps, ms) => {
  const rests = restsAt(kbps).map(Math.round);
  expect(new Set(rests)).toEqual(new Set([ms]));
});

it.each([50_000, 200_000])('a connection that sends %s kbps has no pauses', (kbps) => {
  expect(new Set(restsAt(kbps))).toEqual(new Set([0]));
});

test('reading continues after a read that left data', () => {
  const pace = new ReadPace(0);
  pace.count(64 * 1024);
  expect(pace.restMs(10_000)).toBe(0);
  pace.count(1_000);
  expect(pace.restMs(10_001)).toBe(100);
});

test('a connection with a falling rate pauses again a second later', () => {
  const pace = new ReadPace(0);
  for (let reads = 0; reads < 20; reads++) pace.count(40_000);
  expect(pace.restMs(100)).toBe(0);
  pace.count(1_000);
  expect(pace.restMs(1_100)).toBeGreaterThan(0);
  expect(pace.restMs(1_200)).toBe(100);
});
