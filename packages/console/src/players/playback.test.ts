import { describe, expect, it } from 'vitest';
import { bufferAhead, problemOfHttpStatus, wallClockLatency } from './playback.ts';

function videoWith(currentTime: number, ends: readonly number[]): HTMLVideoElement {
  const buffered = { length: ends.length, end: (index: number) => ends[index] ?? 0 };
  return { currentTime, buffered } as unknown as HTMLVideoElement;
}

describe('latency', () => {
  it.each([
    [1, [], undefined],
    [1, [2.5], 1.5],
    [1, [0.5, 4], 3],
    [5, [4], 0],
  ])('at %d with %o buffered is %s', (currentTime, ends, ahead) => {
    expect(bufferAhead(videoWith(currentTime, ends))).toBe(ahead);
  });

  it('by the wall clock is reported only when the clocks can be right', () => {
    expect(wallClockLatency(10_000, 14_200)).toEqual({ kind: 'wall-clock', seconds: 4.2 });
    expect(wallClockLatency(20_000, 14_200)).toBeUndefined();
    expect(wallClockLatency(0, 10_000_000)).toBeUndefined();
  });
});

describe('HTTP status of a stream', () => {
  it.each([
    [404, { kind: 'not-live' }],
    [401, { kind: 'not-allowed' }],
    [403, { kind: 'not-allowed' }],
    [502, { kind: 'network', detail: 'HTTP 502' }],
    [0, { kind: 'network', detail: '' }],
  ])('%i means %o', (status, problem) => {
    expect(problemOfHttpStatus(status)).toEqual(problem);
  });
});
