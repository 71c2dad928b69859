import { describe, expect, it } from 'vitest';
import { SharedAnchor } from './shared-anchor.ts';
import { type DateAnchor, WallClockAnchor } from './wall-clock-anchor.ts';

const segmentMs = 2_000;
const frameMs = 40;
const startMs = 1_800_000_000_000;

/** Dates of consecutive segments that each arrive `lateMs` late. */
function datesOf(anchor: DateAnchor, segments: number, lateMs: (mediaMs: number) => number): number[] {
  return Array.from({ length: segments }, (_, segment) => {
    for (let mediaMs = segment * segmentMs; mediaMs < (segment + 1) * segmentMs; mediaMs += frameMs)
      anchor.observe(mediaMs, startMs + mediaMs + lateMs(mediaMs));
    return anchor.dateOf(segment * segmentMs);
  });
}
const distances = (dates: readonly number[]) => dates.slice(1).map((date, index) => date - dates[index]!);

describe.each([
  ['of a stream', () => new WallClockAnchor()],
  ['that renditions share', () => new SharedAnchor()],
])('dates %s', (_name, create) => {
  it('follow the media time despite jitter: players that use dates reset when they move', () => {
    const jitter = (mediaMs: number) => (Math.floor(mediaMs / segmentMs) * 7) % 30;
    expect(new Set(distances(datesOf(create(), 50, jitter)))).toEqual(new Set([segmentMs]));
  });

  it('follow a drifting clock by at most 5 ms a segment', () => {
    const dates = datesOf(create(), 300, (mediaMs) => mediaMs / 1_000);
    expect(Math.max(...distances(dates))).toBeLessThanOrEqual(segmentMs + 5);
    const behindMs = startMs + 299 * segmentMs + (299 * segmentMs) / 1_000 - dates.at(-1)!;
    expect(Math.abs(behindMs)).toBeLessThan(60);
  });

  it('restart with another timeline', () => {
    const anchor = create();
    datesOf(anchor, 3, () => 0);
    anchor.restart();
    anchor.observe(5_000, startMs + 90_000);
    expect(anchor.dateOf(5_000)).toBe(startMs + 90_000);
  });
});

describe('an anchor that renditions share', () => {
  it('gives each time one date, whichever rendition comes first, however late', () => {
    const anchor = new SharedAnchor();
    const first = datesOf(anchor, 20, (mediaMs) => mediaMs / 100);
    for (let segment = 19; segment >= 0; segment--) expect(anchor.dateOf(segment * segmentMs)).toBe(first[segment]);
  });

  it('dates media older than all its marks', () => {
    const anchor = new SharedAnchor();
    datesOf(anchor, 200, () => 0);
    expect(anchor.dateOf(0)).toBe(startMs);
  });
});
