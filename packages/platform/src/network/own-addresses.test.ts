import { describe, expect, it } from 'vitest';
import { createOwnAddresses } from './own-addresses.ts';

const bound = { rtmp: 1940, rtmps: 1943, srt: 10_090 };
const addresses = createOwnAddresses(async () => bound);

describe('the stream in an address of this server', () => {
  it.each([
    ['rtmp://127.0.0.1:1940/live/a?secret=x', 'live/a'],
    ['rtmps://localhost:1943/live/a', 'live/a'],
    ['srt://127.0.0.1:10090?streamid=#!::r=live/a,m=publish,secret=x', 'live/a'],
    ['srt://[::1]:10090?latency=200000&streamid=%23!%3A%3Ar%3Dlive%2Fa%2Cm%3Dpublish', 'live/a'],
    ['srt://127.0.0.1:10090?streamid=a', 'live/a'],
    ['rtmp://127.0.0.1/live/a', ''],
    ['rtmps://127.0.0.1:1940/live/a', ''],
    ['srt://127.0.0.1:10080?streamid=live/a', ''],
    ['srt://127.0.0.1:10090', ''],
    ['srt://192.0.2.1:10090?streamid=live/a', ''],
    ['rtmp://192.0.2.1:1940/live/a', ''],
    ['no address', ''],
  ])('%s: "%s"', async (address, path) => {
    expect(await addresses.streamOf(address)).toBe(path);
  });

  it('uses default ports while the media server has not reported its own, and has none for RTMPS', async () => {
    const unknown = createOwnAddresses(async () => undefined);
    expect(await unknown.streamOf('rtmp://127.0.0.1/live/a')).toBe('live/a');
    expect(await unknown.streamOf('srt://127.0.0.1:10080?streamid=live/a')).toBe('live/a');
    expect(await unknown.streamOf('rtmps://127.0.0.1/live/a')).toBe('');
  });
});

describe('whether an address is one of this server', () => {
  it.each([
    ['rtmp://live.example:1940/live/a', true],
    ['rtmps://live.example:1943/live/a', true],
    ['srt://live.example:10090?streamid=a', true],
    ['rtmps://live.example/live/a', false],
    ['rtmp://another.example:1940/live/a', false],
  ])('%s: %s', async (address, leads) => {
    expect(await addresses.leadsHere(address, 'LIVE.example')).toBe(leads);
  });
});
