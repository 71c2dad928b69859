import { expect, test } from 'vitest';
import { cueAt, parseStoryboard } from './storyboard.ts';

const base = 'https://tv.example/live/x.rewind.vtt?watch=1';
const text = `WEBVTT

NOTE begins 2026-01-01T12:00:00.000Z

00:00:00.000 --> 00:00:10.000
x.rewind.1.jpg?watch=1

00:00:10.000 --> 00:00:20.500
tiles.jpg#xywh=160,90,160,90

00:00:20.500 --> 00:00:30.000
https://elsewhere.example/x.jpg

00:01 --> 00:02
bad.jpg
`;

test('cues name whole images or parts of one; those of other servers or damaged ones are omitted', () => {
  expect(parseStoryboard(text, base)).toEqual([
    { start: 0, end: 10, url: 'https://tv.example/live/x.rewind.1.jpg?watch=1' },
    { start: 10, end: 20.5, url: 'https://tv.example/live/tiles.jpg', part: { x: 160, y: 90, width: 160, height: 90 } },
  ]);
  expect(parseStoryboard('', base)).toEqual([]);
});

test('the image for a time is the last one before it, counted from the end', () => {
  const cues = parseStoryboard(text, base);
  expect(cueAt(cues, 15)?.start).toBe(0);
  expect(cueAt(cues, 5)?.start).toBe(10);
  expect(cueAt(cues, 999)?.start).toBe(0);
  expect(cueAt([], 5)).toBeUndefined();
});
