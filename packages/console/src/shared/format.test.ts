import { expect, test } from 'vitest';
import { formatBitrate } from './format-bitrate.ts';
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

test.each([
  [0, '0 bps'],
  [0.4, '0.4 bps'],
  [999, '999 bps'],
  [1_500, '1.5 kbps'],
  [48_000, '48 kbps'],
  [999_400, '999 kbps'],
  [999_600, '1 Mbps'],
  [2_440_000, '2.44 Mbps'],
  [250_000_000, '250 Mbps'],
  [5_847_600_000, '5.85 Gbps'],
  [12e9, '12 Gbps'],
])('%d bits per second are %s', (bits, text) => {
  expect(formatBitrate(bits, 'en')).toBe(text);
});

test('timestamps have the form YYYY-MM-DD HH:mm:ss', () => {
  expect(formatTimestamp(new Date(2026, 10, 1, 9, 5, 3).toISOString())).toBe('2026-11-01 09:05:03');
  expect(formatTimestamp('')).toBe('–');
  expect(formatTimestamp('soon')).toBe('soon');
});
