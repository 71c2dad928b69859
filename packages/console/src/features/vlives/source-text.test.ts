import { expect, test } from 'vitest';
import { sourceText, totalMegabytes } from './source-text.ts';
import { sourceFixture } from './testing.ts';

test('a file is described in the units of the product', () => {
  expect(sourceText(sourceFixture(), 'en')).toEqual({
    format: ['2.5 MB', '10.1 s', '2,081 Kbps'],
    video: ['H.264', 'High', '1280×720'],
    audio: ['AAC-LC', '44100 Hz', '2 ch'],
  });
});

test('data that a live stream does not report is omitted', () => {
  const stream = sourceFixture({ type: 'stream', size: 0, audio: null });
  stream.format = { ...stream.format!, duration: '', bit_rate: '' };
  expect(sourceText(stream, 'en')).toEqual({ format: [], video: ['H.264', 'High', '1280×720'], audio: [] });
  expect(sourceText({ ...stream, format: null, video: null }, 'en').video).toEqual([]);
});

test('the total size is in MB', () => {
  expect(totalMegabytes([], 'en')).toBe('0.0');
  expect(totalMegabytes([{ size: 1_048_576 }, { size: 524_288 }], 'en')).toBe('1.5');
});
