import { expect, test } from 'vitest';
import { createUploadMeter, percentOf } from './upload-meter.ts';

test('speed is the mean of the last seconds', () => {
  const meter = createUploadMeter();
  expect(meter.speedMbps(0)).toBe(0);
  meter.record(0, 0);
  expect(meter.speedMbps(500)).toBe(0);
  for (let second = 1; second <= 20; second += 1) meter.record(second * 1_250_000, second * 1_000);
  expect(meter.speedMbps(20_000)).toBeCloseTo(10, 5);
  for (let second = 21; second <= 26; second += 1) meter.record(25_000_000 + (second - 20) * 125_000, second * 1_000);
  expect(meter.speedMbps(26_000)).toBeCloseTo(1, 5);
});

test('the speed of a stalled upload falls to zero, and a retry starts a new measurement', () => {
  const meter = createUploadMeter();
  meter.record(0, 0);
  meter.record(1_000_000, 1_000);
  expect(meter.speedMbps(80_000)).toBeCloseTo(0.1, 5);
  meter.record(500_000, 81_000);
  expect(meter.speedMbps(81_000)).toBe(0);
});

test.each([
  [0, 1_000, 0],
  [999, 1_000, 99],
  [1_000, 1_000, 100],
  [0, 0, 100],
])('%d of %d bytes are %d %%', (sent, total, percent) => {
  expect(percentOf(sent, total)).toBe(percent);
});
