import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes.ts';
import { formatTimestamp } from './format-time.ts';

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 KB'],
  [1_288_490_189, '1.2 GB'],
  [943_718_400, '900 MB'],
  [5 * 1024 ** 5, '5,120 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes, 'en')).toBe(text);
});

test('timestamps have one form', () => {
  expect(formatTimestamp(new Date(2026, 10, 1, 9, 5, 3).toISOString())).toBe('2026-11-01 09:05:03');
  expect(formatTimestamp('')).toBe('–');
  expect(formatTimestamp('soon')).toBe('soon');
});
