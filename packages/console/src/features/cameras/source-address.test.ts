import { expect, test } from 'vitest';
import { kindOfAddress, readSrt, readUdp, writeSrt, writeUdp } from './source-address.ts';

test.each([
  ['rtsp://cam/1', 'rtsp'],
  ['RTSPS://cam/1', 'rtsp'],
  ['srt://h:1', 'srt'],
  ['udp://:5000', 'udp'],
  ['rtp://239.1.1.1:5000', 'udp'],
  ['https://h/live.m3u8?token=1', 'hls'],
  ['http://h/live.flv', 'rtmp'],
  ['rtmp://h/live/a', 'rtmp'],
  ['h:9000', undefined],
  ['', undefined],
])('%s is %s', (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind);
});

test('an SRT address is read and written, with options that are not shown', () => {
  const address =
    'srt://h:9000?pbkeylen=32&streamid=%23!%3A%3Ar%3Dlive%2Fa%2Cm%3Drequest&passphrase=a%20b%26c&latency=200000';
  const parts = readSrt(address);
  expect(parts).toEqual({
    server: 'h:9000?pbkeylen=32',
    streamId: '#!::r=live/a,m=request',
    passphrase: 'a b&c',
    latency: '200',
  });
  expect(readSrt(writeSrt(parts))).toEqual(parts);
  expect(readSrt('srt://h:1?latency=80').latency).toBe('80');
  expect(readSrt(writeSrt({ server: 'srt://h:1', streamId: '', passphrase: '', latency: '' })).server).toBe('h:1');
  expect(writeSrt({ server: ' ', streamId: '', passphrase: '', latency: '' })).toBe('');
});

test('a UDP address is read and written', () => {
  const parts = readUdp('rtp://10.0.0.5@239.1.1.1:5000?localaddr=10.0.0.2');
  expect(parts).toEqual({
    ...{ scheme: 'rtp', sender: '10.0.0.5', host: '239.1.1.1', port: '5000', options: '?localaddr=10.0.0.2' },
  });
  expect(writeUdp(parts)).toBe('rtp://10.0.0.5@239.1.1.1:5000?localaddr=10.0.0.2');
  expect(readUdp('udp://@[ff05::1]:5000')).toMatchObject({ host: '[ff05::1]', port: '5000', sender: '' });
  expect(readUdp('udp://:5000')).toMatchObject({ host: '', port: '5000' });
  expect(readUdp(writeUdp({ ...readUdp(''), host: '239.1.1.1' }))).toMatchObject({ host: '239.1.1.1', port: '' });
  expect(writeUdp(readUdp(''))).toBe('');
});
