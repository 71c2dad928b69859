import { expect, test } from 'vitest';
import { sourceFixture } from './testing.ts';
import {
  emptyVlive,
  hasUploadType,
  modeOfFiles,
  validateServerFile,
  validateStreamUrl,
  validateVlive,
} from './validate-vlive.ts';

const good = { ...emptyVlive('wx', 'rtmp://a/live/', false), files: [sourceFixture()] };

test.each([
  ['a valid target', {}, undefined],
  ['no files', { files: [] }, 'files'],
  ['missing files before other problems', { files: [], server: '', custom: true }, 'files'],
  ['no address', { server: ' ' }, 'server'],
  ['a missing address before a missing name', { server: '', custom: true }, 'server'],
  ['custom without a name', { custom: true }, 'label'],
  ['custom with a name', { custom: true, label: 'Shop' }, undefined],
] as const)('%s', (_name, change, problem) => {
  expect(validateVlive({ ...good, ...change, files: 'files' in change ? [...change.files] : good.files })).toBe(
    problem,
  );
});

test.each([
  ['', 'missing'],
  ['  ', 'missing'],
  ['ftp://host/x.flv', 'scheme'],
  ['host/live/stream', 'scheme'],
  ['http://host/live/stream', 'format'],
  ['https://host/video.mp4', 'format'],
  ['http://host/live/stream.flv', undefined],
  ['https://host/live/stream.m3u8?token=1', undefined],
  ['rtmp://host/live/stream', undefined],
  ['rtsp://user:p@ss@host/cam', undefined],
  ['srt://host:10080?streamid=x', undefined],
])('stream URL %s: %s', (url, problem) => {
  expect(validateStreamUrl(url)).toBe(problem);
});

test.each([
  ['', 'missing'],
  ['/etc/passwd.mp4', 'place'],
  ['/database/x.mp4', 'place'],
  ['/upload/x.mp4', 'place'],
  ['video.mp4', 'place'],
  ['/data/show.mkv', 'type'],
  ['/data/show', 'type'],
  ['/data/show.mp4', undefined],
  ['upload/show.FLV', undefined],
  ['./upload/show.ts', undefined],
])('server file %s: %s', (path, problem) => {
  expect(validateServerFile(path)).toBe(problem);
});

test('uploads are mp4, flv and ts', () => {
  expect(['a.mp4', 'b.FLV', '节目.ts', 'c.mov', 'd', 'mp4'].map(hasUploadType)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('the first file determines the mode', () => {
  const types = ['upload', 'file', 'stream', 'ytdl', ''] as const;
  expect(types.map((type) => modeOfFiles([{ type }]))).toEqual(['upload', 'file', 'stream', 'file', 'file']);
  expect(modeOfFiles([])).toBeUndefined();
});
