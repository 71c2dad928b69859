import { expect, test } from 'vitest';
import { sparklinePath } from './sparkline-path.ts';

const box = { width: 100, height: 10, slots: 5 };

test('a full series spans the width, from 0 at the bottom to its maximum at the top', () => {
  expect(sparklinePath([0, 50, 100, 50, 0], box).line).toBe('M0 10L25 5L50 0L75 5L100 10');
});

test('a short series ends at the right; the newest values are kept', () => {
  expect(sparklinePath([10, 10], box).line).toBe('M75 0L100 0');
  expect(sparklinePath([1, 2, 3, 4, 5, 6, 6, 6, 6, 6], box).line).toBe('M0 0L25 0L50 0L75 0L100 0');
});

test('fewer than two values draw nothing; zeros draw the base line', () => {
  expect(sparklinePath([3], box)).toEqual({ line: '', area: '' });
  expect(sparklinePath([0, 0], box).line).toBe('M75 10L100 10');
});
