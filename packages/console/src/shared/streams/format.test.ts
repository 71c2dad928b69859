import { describe, expect, it } from 'vitest';
import { formatDuration, formatFps, formatSampleRate } from './format.ts';

describe('numbers of the card', () => {
  it.each([
    [0, '0:00'],
    [-5, '0:00'],
    [59_999, '0:59'],
    [61_000, '1:01'],
    [3_723_000, '1:02:03'],
    [90_061_000, '25:01:01'],
  ])('%i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [30, '30'],
    [29.97, '30'],
    [31.4, '31'],
    [7.52, '7.5'],
    [5, '5'],
  ])('%d frames per second is %s', (fps, text) => {
    expect(formatFps(fps)).toBe(text);
  });

  it.each([
    [44_100, '44.1 kHz'],
    [48_000, '48 kHz'],
    [22_050, '22.05 kHz'],
  ])('%i Hz is %s', (hertz, text) => {
    expect(formatSampleRate(hertz)).toBe(text);
  });
});
