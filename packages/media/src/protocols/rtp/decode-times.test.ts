import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxReorderDepth } from '../../codecs/reorder-depth.ts';
import { DecodeTimes } from './decode-times.ts';

const decodeTimes = (depth: number, ptsMs: readonly number[]) => {
  const times = new DecodeTimes(depth, maxReorderDepth);
  return ptsMs.map((timeMs) => times.next(timeMs));
};

describe('DecodeTimes', () => {
  it('equal the presentation times of a stream without B-frames', () => {
    expect(decodeTimes(0, [0, 40, 80, 120])).toEqual([0, 40, 80, 120]);
  });

  it("are the sorted presentation times, delayed by the encoder's reorder depth", () => {
    // I P B B P B B: displayed as I B B P B B P.
    expect(decodeTimes(1, [0, 120, 40, 80, 240, 160, 200])).toEqual([-20, 0, 40, 80, 120, 160, 200]);
    // I P B b b P B b b with a pyramid.
    expect(decodeTimes(2, [0, 160, 80, 40, 120, 320, 240, 200, 280])).toEqual([
      -40, -20, 0, 40, 80, 120, 160, 200, 240,
    ]);
  });

  it('increase the delay when a stream reorders more than announced', () => {
    const ptsMs = [0, 160, 80, 40, 120, 320, 240, 200, 280, 480, 400, 360, 440];
    const times = decodeTimes(0, ptsMs);
    expect(times.every((timeMs, index) => index === 0 || timeMs > times[index - 1]!)).toBe(true);
    expect(ptsMs.slice(-4).every((timeMs, index) => times.at(index - 4)! <= timeMs)).toBe(true);
  });

  it('restart after a jump of the clock', () => {
    const times = new DecodeTimes(1, maxReorderDepth);
    expect([0, 120, 40, 80].map((timeMs) => times.next(timeMs))).toEqual([-20, 0, 40, 80]);
    times.restart();
    expect([9_000, 9_120, 9_040].map((timeMs) => times.next(timeMs))).toEqual([8_980, 9_000, 9_040]);
  });

  it('always increase, and store a bounded number of frames, whatever the times', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.array(fc.integer({ min: -1000, max: 1000 })), (depth, ptsMs) => {
        const times = decodeTimes(Math.min(depth, maxReorderDepth), ptsMs);
        expect(times.every((timeMs, index) => index === 0 || timeMs > times[index - 1]!)).toBe(true);
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});
