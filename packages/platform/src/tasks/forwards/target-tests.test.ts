import { expect, test } from 'vitest';
import { isSamePublisher } from './target-tests.ts';

const twitch = { server: 'rtmp://live.twitch.tv/app/', secret: 'live_1' };

test.each([
  ['the same', twitch, true],
  ['a test of the bandwidth', { ...twitch, secret: 'live_1?bandwidthtest=true' }, true],
  ['another way to write it', { server: ' rtmp://LIVE.twitch.tv/app', secret: '/live_1 ' }, true],
  ['another key', { ...twitch, secret: 'live_2' }, false],
  ['another server', { ...twitch, server: 'rtmp://live.twitch.tv/other' }, false],
])('%s', (_name, other, isSame) => {
  expect(isSamePublisher(twitch, other)).toBe(isSame);
});
