import { expect, it } from 'vitest';
import { takeRunLimits } from './run-limits.ts';

it.each([
  ['rtmp://h/a/s', 'rtmp://h/a/s', {}],
  ['rtmp://h/a/s?secret=x', 'rtmp://h/a/s?secret=x', {}],
  ['rtmp://h/a/s?max-stream-duration=15s', 'rtmp://h/a/s', { longestRunMs: 15_000 }],
  ['rtmp://h/a/s?secret=x&max-stream-duration=1h2m3.5s&b=c', 'rtmp://h/a/s?secret=x&b=c', { longestRunMs: 3_723_500 }],
  ['http://h/s.flv?abnormal-fast-speed=2.5', 'http://h/s.flv', { fastestSpeed: 2.5 }],
  [
    'http://h/s.flv?a=%26&abnormal-fast-speed=3&max-stream-duration=1500ms',
    'http://h/s.flv?a=%26',
    { fastestSpeed: 3, longestRunMs: 1_500 },
  ],
  ['srt://h:1?streamid=#!::r=live/s,m=request', 'srt://h:1?streamid=#!::r=live/s,m=request', {}],
  ['srt://h:1?streamid=a?b=c', 'srt://h:1?streamid=a?b=c', {}],
  ['rtmp://h/a/s?max-stream-duration=soon&abnormal-fast-speed=-1', 'rtmp://h/a/s', {}],
  ['rtmp://h/a/s?max-stream-duration=15', 'rtmp://h/a/s', {}],
  ['rtmp://h/a/s?max-stream-duration=1ms', 'rtmp://h/a/s', {}],
  ['rtmp://h/a/s?abnormal-fast-speed=Infinity', 'rtmp://h/a/s', {}],
  ['rtmp://h/a/s?xmax-stream-duration=15s', 'rtmp://h/a/s?xmax-stream-duration=15s', {}],
])('%s', (typed, address, limits) => {
  expect(takeRunLimits(typed)).toEqual({ address, limits });
});
