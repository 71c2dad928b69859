import type { MediaSource } from '@srs-stack/contract';
import { mediaSource, vliveTarget } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import type { MediaFolders } from '../files/media-folders.ts';
import { encodingOf, planVlive } from './vlive-plan.ts';

const file = (
  video: object | null,
  audio: object | null = { codec_name: 'aac', sample_rate: '44100', channels: 2 },
): MediaSource => mediaSource.parse({ video, audio });
const hd = { codec_name: 'h264', width: 1_280, height: 720, pix_fmt: 'yuv420p' };
const rtmp = 'rtmp://t/live/x';
const copied = { video: false, audio: false };

describe('what a playlist needs encoded', () => {
  it.each([
    ['one file', [file(hd)], copied],
    ['files that agree', [file(hd), file({ ...hd, level: 40 })], copied],
    [
      'files of two sizes',
      [file(hd), file({ ...hd, width: 641, height: 361 })],
      { video: true, audio: false, size: { width: 1_280, height: 720 } },
    ],
    [
      'an odd size first',
      [file({ ...hd, width: 641, height: 361 }), file(hd)],
      { video: true, audio: false, size: { width: 640, height: 360 } },
    ],
    [
      'two sample rates',
      [file(hd), file(hd, { codec_name: 'aac', sample_rate: '48000', channels: 2 })],
      { video: false, audio: true },
    ],
    [
      'a codec the target does not take',
      [file(hd), file({ ...hd, codec_name: 'hevc' })],
      { video: true, audio: false, size: { width: 1_280, height: 720 } },
    ],
    ['sound only', [file(null), file(null)], copied],
  ] as const)('%s', (_name, files, expected) => {
    expect(encodingOf(files, rtmp)).toEqual(expected);
  });
});

it.each([
  ['http://127.0.0.1:1/a.flv', { http_proxy: 'http://127.0.0.1:9' }],
  ['rtmp://127.0.0.1:1/live/a', {}],
])('%s is read with what its proxy says', async (target, environment) => {
  const source = mediaSource.parse({ type: 'stream', target });
  const server = { platform: 'wx', server: 'rtmp://127.0.0.1:1/live/', secret: 'x', enabled: true };
  const rest = { custom: false, label: '', files: [source], startAt: '' };
  const proxy = { environmentFor: async (url: string) => (url.startsWith('http') ? environment : {}) };
  const planned = await planVlive(vliveTarget.parse({ ...server, ...rest }), {
    folders: {} as MediaFolders,
    proxy,
    now: new Date(),
  });
  expect(planned).toMatchObject({ kind: 'run', plan: { environment, mayUse: { fileBytes: 0 } } });
});
