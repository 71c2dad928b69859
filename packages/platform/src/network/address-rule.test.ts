import { describe, expect, it } from 'vitest';
import { checkAddress, isForbiddenAddress, judgeHost, pullSchemes, pushSchemes } from './address-rule.ts';
import { streamPath } from './own-addresses.ts';

describe('addresses workers may contact', () => {
  it.each([
    ['127.0.0.1', false],
    ['10.0.0.1', false],
    ['192.168.1.1', false],
    ['8.8.8.8', false],
    ['::1', false],
    ['fd00::1', false],
    ['169.254.169.254', true],
    ['100.100.100.200', true],
    ['0.0.0.0', true],
    ['224.0.0.1', true],
    ['255.255.255.255', true],
    ['fe80::1', true],
    ['fd00:ec2::254', true],
    ['::', true],
    ['::ffff:169.254.169.254', true],
    ['::ffff:a9fe:a9fe', true],
    ['::ffff:127.0.0.1', false],
  ])('%s is forbidden: %s', (ip, forbidden) => {
    expect(isForbiddenAddress(ip)).toBe(forbidden);
  });

  it.each([
    ['rtmp://a.rtmp.youtube.com/live2/key', 'a.rtmp.youtube.com', ''],
    ['rtmps://h:443/app/key?x=1', 'h', '443'],
    ['rtmp://[::1]:1935/live', '::1', '1935'],
    ['srt://h:9?streamid=#!::r=live/x,m=publish', 'h', '9'],
    ['srt://h:9?mode=caller', 'h', '9'],
    ['rtmp://u:p%40@h/live', 'h', ''],
  ])('%s is allowed as a push target', (address, host, port) => {
    expect(checkAddress(address, pushSchemes)).toMatchObject({ host, port });
  });

  it.each([
    'http://h/live',
    'file:///etc/passwd',
    'rtmp:/h/live',
    'rtmp://',
    'rtmp:///live',
    'rtmp://h:999999/live',
    'rtmp://h/li ve',
    'rtmp://h/live\n-i',
    'rtmp://169.254.169.254/live',
    'rtmp://[fe80::1]/live',
    'srt://h:9?mode=listener',
    'srt://h:9?x=1&mode=rendezvous',
    '-i',
    '',
  ])('%j is not', (address) => {
    expect(() => checkAddress(address, pushSchemes)).toThrow();
  });

  it('resolves names, also numbers in unusual notations', async () => {
    expect(await judgeHost('localhost')).toBe('allowed');
    expect(await judgeHost('2852039166')).toBe('forbidden');
    expect(await judgeHost('no-such-host.invalid')).toBe('unknown');
  });

  it('allows http for sources', () => {
    expect(checkAddress('https://h/x.m3u8', pullSchemes).scheme).toBe('https');
  });
});

it.each([
  ['rtmp://h/live/a?secret=1', 'live/a'],
  ['rtmp://h//live//a/', 'live/a'],
  ['rtmp://h', ''],
])('the stream of %s is %s', (address, path) => {
  expect(streamPath(address)).toBe(path);
});
