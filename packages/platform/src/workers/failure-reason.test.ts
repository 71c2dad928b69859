import { programWords, workerDetail } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { failureOf } from './failure-reason.ts';

/** Last lines printed by FFmpeg 5.1. */
const observed: [string, string, string][] = [
  [
    '[tcp @ 0x563adbb43500] Connection to tcp://127.0.0.1:9?tcp_nodelay=0 failed: Connection refused',
    'connection-refused',
    'Connection to tcp',
  ],
  [
    '[tcp @ 0x559223366500] Failed to resolve hostname nohost.invalid: Name or service not known',
    'host-unknown',
    'Failed to resolve',
  ],
  ['rtmp://10.255.255.1/live/x: Connection timed out', 'timeout', 'rtmp://'],
  ['rtmp://10.0.0.1/live/x: No route to host', 'network-unreachable', 'rtmp://'],
  ['[https @ 0x1] HTTP error 403 Forbidden', 'not-authorized', 'HTTP error 403'],
  ['http://h/x.flv: Server returned 401 Unauthorized (authorization failed)', 'not-authorized', 'http://h'],
  ['http://h/x.flv: Server returned 404 Not Found', 'not-found', 'http://h'],
  ['[rtmp @ 0x1] Server error: NetStream.Publish.BadName', 'publish-rejected', 'Server error'],
  ['/data/vlive/x.mp4: No such file or directory', 'file-missing', '/data'],
  ['[flv @ 0x1] Video codec hevc not compatible with flv', 'codec-unsupported', 'Video codec'],
  [
    "Stream specifier ':v:0' in filtergraph description [0:v:0]null[base] matches no streams.",
    'input-invalid',
    'Stream',
  ],
  ['/data/vlive/x.mp4: Invalid data found when processing input', 'input-invalid', '/data'],
  ["[file @ 0x1] Protocol 'file' not on whitelist 'http,https'!", 'address-refused', 'Protocol'],
  ['av_interleaved_write_frame(): Broken pipe', 'connection-closed', 'av_interleaved'],
  ['av_interleaved_write_frame(): Connection reset by peer', 'connection-closed', 'av_interleaved'],
  ['[tls @ 0x1] error:0A000086:SSL routines::certificate verify failed', 'tls-failed', 'error'],
  [
    '[srt @ 0x562912b46600] Connection to srt://127.0.0.1:9?streamid=x failed: Input/output error',
    'connection-refused',
    'Connection to srt',
  ],
];

describe('why FFmpeg ended', () => {
  it.each(observed)('%s → %s', (line, reason, start) => {
    const lines = ['Input #0, flv, from x', line, 'Conversion failed!', 'frame=1 size=1kB'];
    const failure = failureOf({ code: 1, signal: null, lines });
    expect(failure.reason).toBe(reason);
    expect(failure.detail.text.startsWith(start)).toBe(true);
  });

  it('is the signal when nothing else is known, and the last informative line otherwise', () => {
    expect(failureOf({ code: null, signal: 'SIGKILL', lines: ['Input #0'] })).toMatchObject({ reason: 'killed' });
    expect(failureOf({ code: 1, signal: null, lines: ['Some new words', 'Conversion failed!'] })).toEqual({
      reason: 'failed',
      detail: programWords('Some new words'),
    });
    expect(failureOf({ code: 7, signal: null, lines: [] }).detail.text).toBe('FFmpeg ended with status 7');
  });

  it.each([
    [null, 'SIGXCPU', [], 'limit-cpu'],
    [255, null, ['Exiting normally, received signal 24.'], 'limit-cpu'],
    [null, 'SIGXFSZ', [], 'limit-file'],
    [1, null, ['x: Cannot allocate memory', 'x: Invalid data found when processing input'], 'limit-memory'],
    [
      1,
      null,
      ['[h264 @ 0x1] [IMGUTILS @ 0x2] Picture size 16384x8192 exceeds specified max pixel count 35389440'],
      'picture-too-large',
    ],
  ] as const)('is an exceeded limit: %s %s %j', (code, signal, lines, detail) => {
    expect(failureOf({ code, signal, lines })).toEqual({ reason: 'limit-reached', detail: workerDetail(detail) });
  });

  it('reads only the end of the log', () => {
    const lines = ['Connection refused', ...Array.from({ length: 40 }, (_, n) => `line ${n}`)];
    expect(failureOf({ code: 1, signal: null, lines }).reason).toBe('failed');
  });
});
