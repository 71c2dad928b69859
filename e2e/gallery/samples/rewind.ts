import { now } from './now.ts';
import { revision } from './revision.ts';

const gigabyte = 1024 ** 3;
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

export const rewindOff = { minutes: 0, maxBytes: 10 * gigabyte, patterns: [], usedBytes: 0, windows: 0, revision };
export const rewindOn = {
  ...rewindOff,
  minutes: 120,
  patterns: ['live/*'],
  usedBytes: Math.round(9.8 * gigabyte),
  windows: 3,
};
export const rewindWindows = [
  { app: 'live', stream: 'livestream', since: minutesAgo(120), until: now.toISOString(), sizeBytes: 2.4 * gigabyte },
  { app: 'live', stream: 'camera-2', since: minutesAgo(64), until: minutesAgo(4), sizeBytes: 0.9 * gigabyte },
].map((window) => ({ ...window, sizeBytes: Math.round(window.sizeBytes) }));
export const rewindWindow = {
  ...rewindWindows[0]!,
  playlist: '/live/livestream.rewind.m3u8',
  thumbnails: '/live/livestream.rewind.vtt',
  watchQuery: '',
  cut: { from: minutesAgo(0.56), to: now.toISOString(), seconds: 33.6, sizeBytes: 16_400_000 },
};
export const clip = { ...rewindWindow.cut, uuid: '00000000-0000-4000-8000-000000000001' };

/** The index of preview images: an image every ten seconds. */
export const storyboard = `WEBVTT\n${Array.from({ length: 720 }, (_, index) => {
  const atMs = now.getTime() - (720 - index) * 10_000;
  return `\n00:00:00.000 --> 00:00:10.000\nlivestream.rewind-${atMs}.jpg\n`;
}).join('')}`;
