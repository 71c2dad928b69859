import { expect, it } from 'vitest';
import { pictureShare } from './ladder-rows.ts';

const rendition = (fps: number, divisor: number, changes: object = {}) => ({
  ...{ step: '720p', width: 1280, height: 720, isLive: true, kbps: 0, codecs: '', viewers: 0 },
  ...{ fps, divisor },
  ...changes,
});
const source = (fps: number) => ({ details: { fps } as never });

it('is the share of expected frames of the slowest rendition', () => {
  expect(pictureShare([rendition(50, 1), rendition(20, 2)], source(50))).toBe(0.8);
});

it('ignores audio and renditions without media', () => {
  const others = [rendition(0, 1, { height: 0 }), rendition(0, 1, { isLive: false })];
  expect(pictureShare([rendition(25, 1), ...others], source(25))).toBe(1);
  expect(pictureShare(others, source(25))).toBe(1);
});

it('is 1 while the frame rate of the source is unknown', () => {
  expect(pictureShare([rendition(5, 1)], source(0))).toBe(1);
  expect(pictureShare([rendition(5, 1)], undefined)).toBe(1);
});
