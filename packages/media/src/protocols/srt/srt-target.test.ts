import { describe, expect, it } from 'vitest';
import { parseSrtTarget, type SrtTarget } from './srt-target.ts';

const plain: SrtTarget = {
  host: 'h',
  port: 9000,
  streamId: '',
  passphrase: undefined,
  keyLength: undefined,
  latencyMs: undefined,
};

describe('parseSrtTarget', () => {
  it.each<[string, Partial<SrtTarget>]>([
    ['srt://h:9000', {}],
    ['SRT://h:9000/', {}],
    ['srt://user@h:9000?mode=caller', {}],
    ['srt://192.0.2.1:1?', { host: '192.0.2.1', port: 1 }],
    ['srt://[2001:db8::1]:65535', { host: '2001:db8::1', port: 65_535 }],
    ['srt://h:9000?streamid=#!::r=live/a,m=publish', { streamId: '#!::r=live/a,m=publish' }],
    ['srt://h:9000?StreamID=live%2Fa+b%3Fk%3Dv', { streamId: 'live/a b?k=v' }],
    ['srt://h:9000?streamid=100%', { streamId: '100%' }],
    ['srt://h:9000?passphrase=0123456789&pbkeylen=32', { passphrase: '0123456789', keyLength: 32 }],
    ['srt://h:9000?passphrase=&pbkeylen=20', {}],
    // FFmpeg uses microseconds; users who know libsrt enter milliseconds.
    ['srt://h:9000?latency=200000', { latencyMs: 200 }],
    ['srt://h:9000?latency=200', { latencyMs: 200 }],
    ['srt://h:9000?peerlatency=10000', { latencyMs: 10 }],
    ['srt://h:9000?latency=999999999', { latencyMs: 60_000 }],
    ['srt://h:9000?latency=-5', {}],
    ['srt://h:9000?latency=soon', {}],
  ])('%s', (address, expected) => {
    expect(parseSrtTarget(address)).toEqual({ ...plain, ...expected });
  });

  it.each([
    '',
    'rtmp://h:9000',
    'srt://h',
    'srt://:9000',
    'srt://h:0',
    'srt://h:65536',
    'srt://h:port',
    'srt://2001:db8::1:9000',
    'srt://h:9000x',
    'srt://h:9000?passphrase=short',
    `srt://h:9000?passphrase=${'x'.repeat(80)}`,
  ])('refuses %s', (address) => {
    expect(parseSrtTarget(address)).toBeUndefined();
  });
});
