import type { MediaSource } from '@srs-stack/contract';
import { mediaSource, vliveTarget } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import type { MediaFolders } from '../../files/media-folders.ts';
import type { FileElsewhere } from '../../files/media-library.ts';
import { encodingOf, planVlive, suitsHere } from './vlive-plan.ts';

const file = (
  video: object | null,
  audio: object | null = { codec_name: 'aac', sample_rate: '44100', channels: 2 },
): MediaSource => mediaSource.parse({ video, audio });
const hd = { codec_name: 'h264', width: 1_280, height: 720, pix_fmt: 'yuv420p' };
const rtmp = 'rtmp://t/live/x';
const nothingElsewhere = {
  elsewhere: async () => undefined,
  fetch: () => ({ percent: 0, problem: '' }),
};
const copied = { video: false, audio: false };

describe('what must be encoded of a playlist', () => {
  it.each([
    ['one file', [file(hd)], copied],
    ['files of the same format', [file(hd), file({ ...hd, level: 40 })], copied],
    [
      'files of two sizes',
      [file(hd), file({ ...hd, width: 641, height: 361 })],
      { video: true, audio: false, size: { width: 1_280, height: 720 } },
    ],
    [
      'a file of odd size first',
      [file({ ...hd, width: 641, height: 361 }), file(hd)],
      { video: true, audio: false, size: { width: 640, height: 360 } },
    ],
    ['a rotated file', [file({ ...hd, rotation: 90, encodes: 'rotation' })], { video: true, audio: false }],
    ['4:4:4', [file({ ...hd, pix_fmt: 'yuv444p', encodes: 'pixels' })], { video: true, audio: false }],
    [
      'rotated files, to the size they are shown with',
      Array.from({ length: 2 }, () => file({ ...hd, rotation: -90, encodes: 'rotation' })),
      { video: true, audio: false, size: { width: 720, height: 1_280 } },
    ],
    [
      'two sample rates',
      [file(hd), file(hd, { codec_name: 'aac', sample_rate: '48000', channels: 2 })],
      { video: false, audio: true },
    ],
    [
      'a codec that the target does not accept',
      [file(hd), file({ ...hd, codec_name: 'hevc' })],
      { video: true, audio: false, size: { width: 1_280, height: 720 } },
    ],
    ['audio only', [file(null), file(null)], copied],
  ] as const)('%s', (_name, files, expected) => {
    expect(encodingOf(files, rtmp)).toEqual(expected);
  });
});

it.each([
  ['http://127.0.0.1:1/a.flv', { http_proxy: 'http://127.0.0.1:9' }],
  ['rtmp://127.0.0.1:1/live/a', {}],
])('%s is read with the environment of its proxy', async (target, environment) => {
  const source = mediaSource.parse({ type: 'stream', target });
  const server = { platform: 'wx', server: 'rtmp://127.0.0.1:1/live/', secret: 'x', enabled: true };
  const rest = { custom: false, label: '', files: [source], startAt: '' };
  const proxy = { environmentFor: async (url: string) => (url.startsWith('http') ? environment : {}) };
  const planned = await planVlive(vliveTarget.parse({ ...server, ...rest }), {
    folders: {} as MediaFolders,
    library: nothingElsewhere,
    proxy,
    now: new Date(),
  });
  expect(planned).toMatchObject({ kind: 'run', plan: { environment, mayUse: { fileBytes: 0 } } });
});

describe('a file on another server', () => {
  const row = { uuid: 'f', name: 'show.mp4', size: 10, target: 'vlive/f.mp4', type: 'upload', addedAt: '' } as const;
  const place = { endpoint: 'http://s3', region: '', bucket: 'b', pathStyle: true };
  const object = { place, key: 'vlive/f.mp4', sizeBytes: 10, etag: '"x"', at: '' };
  const away = { row, nodeId: 'n', nodeName: 'north', isNodeThere: false, isNodeRunning: false, object: undefined };
  const target = vliveTarget.parse({
    ...{ platform: 'wx', server: 'rtmp://127.0.0.1:1/live/', secret: 'x', enabled: true, custom: false, label: '' },
    ...{ files: [mediaSource.parse({ type: 'upload', target: 'vlive/f.mp4' })], startAt: '' },
  });
  const folders = { pathOf: async () => undefined } as unknown as MediaFolders;
  const withFile = (file: FileElsewhere | undefined, problem = '') => ({
    folders,
    library: { elsewhere: async () => file, fetch: () => ({ percent: 40, problem }) },
  });
  const planOf = (file: FileElsewhere | undefined, problem?: string) =>
    planVlive(target, { ...withFile(file, problem), proxy: { environmentFor: async () => ({}) }, now: new Date() });

  it.each([
    [
      'waits for its node, which is named, when no bucket has it',
      away,
      'file-elsewhere',
      'show.mp4 exists only on the node north, which is down',
    ],
    [
      'waits while its server accepts no tasks',
      { ...away, isNodeThere: true },
      'file-elsewhere',
      'accepts no tasks now',
    ],
    ['is downloaded from the bucket', { ...away, object }, 'file-coming', 'downloading show.mp4 from the bucket: 40 %'],
  ] as const)('%s', async (_name, file, reason, words) => {
    const planned = await planOf(file);
    expect(planned).toMatchObject({ kind: 'wait', reason });
    expect((planned as { detail: { text: string } }).detail.text).toContain(words);
  });

  it('is reported when its download failed, and as missing when no server has it', async () => {
    expect(await planOf({ ...away, object }, 'no line')).toMatchObject({ detail: { key: 'file-not-coming' } });
    expect(await planOf(undefined)).toMatchObject({ kind: 'fail', reason: 'file-missing' });
  });

  it('is used on the server that has it while that server accepts tasks', async () => {
    expect(await suitsHere(target, withFile({ ...away, object, isNodeThere: true, isNodeRunning: true }))).toBe(false);
    expect(await suitsHere(target, withFile({ ...away, object }))).toBe(true);
    expect(await suitsHere(target, withFile(away))).toBe(false);
    expect(await suitsHere(target, withFile(undefined))).toBe(false);
  });
});
