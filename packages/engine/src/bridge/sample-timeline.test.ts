import { describe, expect, it } from 'vitest';
import { SampleTimeline } from './sample-timeline.ts';

const frameMs = 1024 / 44.1;

/** Pushes frames with rounded times, as in FLV. */
function push(timeline: SampleTimeline, count: number, fromMs: number): void {
  for (let i = 0; i < count; i++) timeline.pushInput(Math.round(fromMs + i * frameMs), frameMs);
}

describe('SampleTimeline', () => {
  it('has no time before the first packet', () => {
    expect(new SampleTimeline().timeOf(0)).toBeUndefined();
  });

  it('spaces output times evenly although input times are rounded', () => {
    const timeline = new SampleTimeline();
    push(timeline, 5000, 1000);
    for (const audioMs of [-2.5, 17.5, 37.5, 100_000]) expect(timeline.timeOf(audioMs)).toBe(1000 + audioMs);
  });

  it('jumps where the input jumped, not before', () => {
    const timeline = new SampleTimeline();
    push(timeline, 10, 0);
    push(timeline, 10, 5000);
    const jumpAtMs = 10 * frameMs;
    expect(timeline.timeOf(jumpAtMs - 1)).toBeCloseTo(jumpAtMs - 1);
    expect(timeline.timeOf(jumpAtMs + 1)).toBeCloseTo(5001);
    expect(timeline.timeOf(jumpAtMs + 41)).toBeCloseTo(5041);
  });

  it('follows a drifting clock within about one frame', () => {
    const timeline = new SampleTimeline();
    const drift = 1.0005;
    let worstMs = 0;
    for (let i = 0; i < 20_000; i++) {
      timeline.pushInput(i * 20 * drift, 20);
      worstMs = Math.max(worstMs, Math.abs(timeline.timeOf(i * 20)! - i * 20 * drift));
    }
    expect(worstMs).toBeLessThan(21);
    expect(worstMs).toBeGreaterThan(15);
  });

  it('ignores jitter', () => {
    const timeline = new SampleTimeline();
    for (let i = 0; i < 1000; i++) timeline.pushInput(i * 20 + (i % 2 === 0 ? 0 : 15), 20);
    expect(timeline.timeOf(19_000)).toBe(19_000);
  });

  it('closes the gap of lost packets', () => {
    const timeline = new SampleTimeline();
    let timeMs = 0;
    for (let i = 0; i < 500; i++) {
      timeMs += i === 100 || i === 110 ? 40 : 20; // a gap of one packet each time
      timeline.pushInput(timeMs, 20);
    }
    expect(timeline.timeOf(499 * 20)).toBeCloseTo(timeMs, 6);
  });
});
