import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CatchUpPace, packetsPerStep } from './catch-up-pace.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function viewerWith(steps: number) {
  const viewer = { taken: 0, sendStep: () => ++viewer.taken < steps };
  return viewer;
}

it('advances each viewer every 10 ms until nothing is left, then stops its timer', () => {
  const pace = new CatchUpPace<{ sendStep(): boolean }>();
  const [short, long] = [viewerWith(1), viewerWith(3)];
  pace.add(short);
  pace.add(long);
  vi.advanceTimersByTime(10);
  expect([short.taken, long.taken]).toEqual([1, 1]);
  vi.advanceTimersByTime(1_000);
  expect([short.taken, long.taken]).toEqual([1, 3]);
  expect(vi.getTimerCount()).toBe(0);
  pace.add(viewerWith(1));
  expect(vi.getTimerCount()).toBe(1);
});

it('removes a viewer that leaves, and its timer with the last one', () => {
  const pace = new CatchUpPace<{ sendStep(): boolean }>();
  const [gone, other] = [viewerWith(9), viewerWith(9)];
  pace.add(gone);
  pace.add(other);
  pace.remove(gone);
  vi.advanceTimersByTime(20);
  expect([gone.taken, other.taken]).toEqual([0, 2]);
  pace.remove(other);
  pace.remove(other);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  [1, 48],
  [1_200, 48],
  [1_201, 49],
  [8_192, 328],
])('sends %i packets in steps of %i', (behind, perStep) => expect(packetsPerStep(behind)).toBe(perStep));
