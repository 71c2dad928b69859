import { type MediaSource, mediaSource } from '@srs-stack/contract';
import { expect, it } from 'vitest';
import { playingAt } from './vlive-playing.ts';

const file = (duration: string): MediaSource => mediaSource.parse({ format: { duration } });
const three = [file('10.000000'), file('5.5'), file('20')];

it.each([
  [1, 0, 1, 1],
  [9_999, 0, 1, 9_999],
  [10_000, 1, 2, 0],
  [15_499, 1, 2, 5_499],
  [15_500, 2, 0, 0],
  [35_499, 2, 0, 19_999],
  [35_500, 0, 1, 0],
  [35_500 * 1_000 + 12_000, 1, 2, 2_000],
])('after %d ms file %d plays, then %d, at %d ms', (sentMs, index, nextIndex, positionMs) => {
  expect(playingAt(three, sentMs)).toMatchObject({ index, nextIndex, positionMs });
});

it('a single file repeats', () => {
  expect(playingAt([file('10')], 25_000)).toEqual({ index: 0, nextIndex: 0, positionMs: 5_000, durationMs: 10_000 });
});

it.each([
  ['nothing was sent yet', three, 0],
  ['there is no file', [], 1_000],
  ['a length is not known', [file('10'), file('')], 1_000],
  ['a length is not a number', [file('N/A')], 1_000],
  ['a file was never probed', [mediaSource.parse({})], 1_000],
] as const)('returns nothing when %s', (_name, files, sentMs) => {
  expect(playingAt(files, sentMs)).toBeUndefined();
});
