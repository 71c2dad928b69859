import { expect, test } from 'vitest';
import { imageAt, imagesFor, readStoryboard, timeOfDay } from './clip-times.ts';

const text = `WEBVTT

NOTE begins 2026-05-01T12:00:00.000Z

00:00:00.000 --> 00:00:10.000
x.rewind-1777636800000.jpg?watch=a

00:00:10.000 --> 00:00:20.000
x.rewind-1777636810000.jpg?watch=a
`;
const pictures = readStoryboard(text, 'http://server/live/x.rewind.vtt?watch=a');

test('images are parsed with their time and address', () => {
  expect(pictures).toEqual([
    { atMs: 1_777_636_800_000, url: 'http://server/live/x.rewind-1777636800000.jpg?watch=a' },
    { atMs: 1_777_636_810_000, url: 'http://server/live/x.rewind-1777636810000.jpg?watch=a' },
  ]);
  expect(readStoryboard('', 'http://server/')).toEqual([]);
});

test('each time has the image before it', () => {
  expect(imageAt(pictures, 0)).toBe(pictures[0]);
  expect(imageAt(pictures, 1_777_636_809_999)).toBe(pictures[0]);
  expect(imageAt(pictures, 1_777_636_810_000)).toBe(pictures[1]);
  expect(imageAt([], 1)).toBeUndefined();
  const strip = imagesFor(pictures, { sinceMs: 1_777_636_800_000, untilMs: 1_777_636_820_000 }, 4);
  expect(strip).toEqual([pictures[0], pictures[0], pictures[1], pictures[1]]);
});

test('times of day', () => {
  const noon = new Date(2026, 4, 1, 12, 3, 4, 5).getTime();
  expect([timeOfDay(noon), timeOfDay(noon, true)]).toEqual(['12:03:04', '12:03:04.005']);
});
