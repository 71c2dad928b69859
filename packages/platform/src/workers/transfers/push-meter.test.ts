import { expect, test } from 'vitest';
import { PushMeter, pushHistorySlots } from './push-meter.ts';

test('the meter has a value every five seconds, from the bytes since the previous value', () => {
  const meter = new PushMeter();
  // Bytes sent before the start of this control plane do not count.
  meter.note(9_000_000, 0);
  meter.note(9_300_000, 2_500);
  expect(meter.kbps).toBe(0);
  meter.note(9_625_000, 5_000);
  meter.note(9_625_000, 10_000);
  expect(meter.history).toEqual([1_000, 0]);
  expect(meter.kbps).toBe(0);
});

test('a new connection counts from zero, and values of the old one are kept', () => {
  const meter = new PushMeter();
  meter.note(0, 0);
  meter.note(500_000, 2_000);
  meter.note(0, 3_000);
  meter.note(125_000, 5_000);
  expect(meter.history).toEqual([1_000]);
});

test('the meter keeps the values of five minutes', () => {
  const meter = new PushMeter();
  for (let slot = 0; slot <= pushHistorySlots + 5; slot++) meter.note(slot * 625_000, slot * 5_000);
  expect(meter.history).toHaveLength(pushHistorySlots);
  expect(new Set(meter.history)).toEqual(new Set([1_000]));
});
