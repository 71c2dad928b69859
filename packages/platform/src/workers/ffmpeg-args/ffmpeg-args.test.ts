import { describe, expect, it } from 'vitest';
import { joinAddress, networkInputArgs, outputArgs, schemeOf, withEncodedUserInfo } from './address.ts';
import { forwardArgs } from './forward-args.ts';
import { concatList, neededEncoding, vliveArgs } from './vlive-args.ts';

describe('addresses', () => {
  it.each([
    ['rtmp://h/live/', 'key', 'rtmp://h/live/key'],
    ['rtmp://h/live', 'key?a=b', 'rtmp://h/live/key?a=b'],
    ['rtmp://h/live', '/key', 'rtmp://h/live/key'],
    ['rtmp://h/live', '', 'rtmp://h/live'],
    ['srt://h:9?streamid=', 'key', 'srt://h:9?streamid=key'],
    ['rtmp://h/live?vhost=v', 'key', 'rtmp://h/live?vhost=v/key'],
    ['rtmp://u:p@ss@h/live/', 'k', 'rtmp://u:p%40ss@h/live/k'],
  ])('%s and %s are %s', (server, key, address) => {
    expect(joinAddress(server, key)).toBe(address);
  });

  it.each([
    ['rtsp://admin:a/b@c:d@10.0.0.1/x', 'rtsp://admin:a/b@c:d@10.0.0.1/x'],
    ['rtsp://admin:p#w?@10.0.0.1/x', 'rtsp://admin:p%23w%3F@10.0.0.1/x'],
    ['rtsp://admin:p%40w@10.0.0.1/x', 'rtsp://admin:p%40w@10.0.0.1/x'],
    ['rtsp://admin@10.0.0.1', 'rtsp://admin@10.0.0.1'],
    ['rtmp://h/app/name@x', 'rtmp://h/app/name@x'],
    ['rtsp://a:b%zz@h/x', 'rtsp://a:b%25zz@h/x'],
  ])('%s is sent as %s', (typed, sent) => {
    expect(withEncodedUserInfo(typed)).toBe(sent);
  });

  it('have a scheme in lower case; unknown schemes are refused', () => {
    expect(schemeOf('RTMP://h')).toBe('rtmp');
    for (const address of [
      'file:///etc/passwd',
      'concat:a|b',
      '-i',
      '',
      '/etc/passwd',
      'pipe:1',
      'tee://x',
      'gopher://x',
    ]) {
      expect(() => networkInputArgs(address), address).toThrow();
      expect(() => outputArgs(address), address).toThrow();
    }
    for (const address of ['http://h/x', 'rtsp://h/x']) expect(() => outputArgs(address), address).toThrow();
  });
});

const base = ['-nostdin', '-progress', 'pipe:1'];
const flv = ['-f', 'flv', '-flvflags', 'no_duration_filesize'];

describe('forward', () => {
  it.each([
    ['rtmp://t/live/k', flv],
    ['rtmps://t/live/k', flv],
    ['srt://t:1?streamid=k', ['-pes_payload_size', '0', '-f', 'mpegts']],
  ])('copies to %s', (output, format) => {
    expect(forwardArgs({ input: 'rtmp://127.0.0.1:1/live/s', output })).toEqual([
      ...base,
      ...['-protocol_whitelist', 'rtmp,tcp', '-max_pixels', '35389440', '-analyzeduration', '2000000'],
      ...['-i', 'rtmp://127.0.0.1:1/live/s', '-c', 'copy'],
      ...format,
      output,
    ]);
  });
});

describe('virtual live', () => {
  const encoding = { video: false, audio: false };
  const output = 'rtmp://t/a/o';

  it('loops and paces a file', () => {
    expect(vliveArgs({ input: { kind: 'file', path: '/d/vlive/a.mp4' }, encoding, output }).join(' ')).toBe(
      [
        ...base,
        '-stream_loop -1 -re -protocol_whitelist file -format_whitelist mov,mp4,flv,live_flv,mpegts,matroska,mp3,aac -max_pixels 35389440',
        '-i file:/d/vlive/a.mp4 -map 0:V:0? -map 0:a:0? -c:v copy -c:a copy',
        ...flv,
        output,
      ].join(' '),
    );
  });

  it('plays a list in order', () => {
    const args = vliveArgs({ input: { kind: 'playlist', path: '/d/l.ffconcat' }, encoding, output }).join(' ');
    expect(args).toContain('-stream_loop -1 -re -protocol_whitelist file -format_whitelist concat,');
    expect(args).toContain('-f concat -i file:/d/l.ffconcat');
    expect(concatList(['a-1.mp4', 'b_2.flv'])).toBe('ffconcat version 1.0\nfile a-1.mp4\nfile b_2.flv\n');
    for (const name of ["a'b.mp4", 'a b.mp4', '../a.mp4', '/a.mp4', 'a\nb.mp4', '-a', '.mp4', 'a.mp4\n']) {
      expect(() => concatList([name]), name).toThrow();
    }
  });

  it('reads a live stream without pacing, and paces a recorded one', () => {
    const args = (isLive: boolean) =>
      vliveArgs({ input: { kind: 'stream', url: 'rtsp://c/1', isLive }, encoding, output }).join(' ');
    expect(args(true)).toContain(
      '-progress pipe:1 -analyzeduration 2000000 -protocol_whitelist rtsp,rtp,srtp,tcp,udp -max_pixels 35389440 -rtsp_transport tcp -i rtsp://c/1',
    );
    expect(args(true)).not.toMatch(/-re |-stream_loop/);
    expect(args(false)).toContain('-stream_loop -1 -re');
  });

  it('encodes what is requested, to one size if given', () => {
    const input = { kind: 'file', path: '/a' } as const;
    expect(vliveArgs({ input, encoding: { video: true, audio: false }, output }).join(' ')).toContain('-c:v libx264');
    expect(vliveArgs({ input, encoding: { video: false, audio: true }, output }).join(' ')).toContain(
      '-c:v copy -c:a aac',
    );
    const sized = vliveArgs({
      input,
      encoding: { video: true, audio: true, size: { width: 640, height: 360 } },
      output,
    });
    expect(sized.join(' ')).toContain('scale=640:360');
  });

  const source = (video: string | null, audio: string | null, rate = '44100') => ({
    video: video === null ? null : { codec_name: video },
    audio: audio === null ? null : { codec_name: audio, sample_rate: rate },
  });
  it.each([
    ['h264', 'aac', '48000', 'rtmp', false, false],
    ['hevc', 'aac', '48000', 'rtmp', true, false],
    ['hevc', 'aac', '48000', 'srt', false, false],
    ['h264', 'opus', '48000', 'rtmp', false, true],
    ['h264', 'ac3', '48000', 'rtmp', false, true],
    ['h264', 'ac3', '48000', 'srt', false, false],
    ['h264', 'mp3', '44100', 'rtmp', false, false],
    ['h264', 'mp3', '48000', 'rtmp', false, true],
    ['vp9', 'opus', '48000', 'srt', true, true],
    [null, 'mp3', '44100', 'rtmp', false, false],
    ['h264', null, '', 'rtmp', false, false],
  ] as const)(
    '%s and %s at %s to %s: encodes video %s, audio %s',
    (video, audio, rate, scheme, encodesVideo, encodesAudio) => {
      expect(neededEncoding(source(video, audio, rate), `${scheme}://t/x`)).toEqual({
        video: encodesVideo,
        audio: encodesAudio,
      });
    },
  );
});
