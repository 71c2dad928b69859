// MP4 files by the real FFmpeg, and the handling of its failures.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingLimits } from '@srs-stack/process/programs/media-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Mp4Job, makeMp4, type RunFfmpeg, runFfmpeg } from './remux.ts';

let folder: string;
let segmentBytes: number;
const signal = new AbortController().signal;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'remux-'));
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=30:duration=2',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=2',
  ];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '30', '-c:a', 'aac'];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...source, ...codecs, '-f', 'mpegts', join(folder, '0.ts')]);
  segmentBytes = (await stat(join(folder, '0.ts'))).size;
  const playlist = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    '#EXT-X-TARGETDURATION:2',
    '#EXTINF:2.0,',
    '0.ts',
    '#EXT-X-ENDLIST',
    '',
  ];
  await writeFile(join(folder, 'index.m3u8'), playlist.join('\n'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const job = (output: string): Omit<Mp4Job, 'indexBytes'> => ({
  inputs: [{ format: 'hls', path: join(folder, 'index.m3u8'), offsetMs: 0 }],
  video: { input: 0, isHevc: false, changes: false },
  audio: { input: 0, changes: false },
  output,
});

/** Creates an MP4. Returns the kind of each run, the last result, and the file. */
async function make(media: { durationMs: number; sizeBytes: number }) {
  const passes: string[] = [];
  const run: RunFfmpeg = async (args, aborted, limits) => {
    passes.push(args.includes('-moov_size') ? 'one pass' : 'two passes');
    return runFfmpeg(args, aborted, limits);
  };
  const output = join(folder, 'index.mp4');
  const ending = await makeMp4(run, job(output), media, signal);
  return { passes, ending, bytes: await readFile(output), output };
}

const frames = (path: string) =>
  execFileSync('ffprobe', ['-v', 'error', '-select_streams', 'v', '-count_packets', ...shown, path], {
    encoding: 'utf8',
  }).trim();
const shown = ['-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
const isIndexFirst = (bytes: Buffer) => bytes.indexOf('moov') > 0 && bytes.indexOf('moov') < bytes.indexOf('mdat');

test('a file with a relatively small index is written in one pass', async () => {
  const { passes, ending, bytes, output } = await make({ durationMs: 2_000, sizeBytes: 100_000_000 });
  expect([passes, ending.ok, frames(output)]).toEqual([['one pass'], true, '60']);
  expect(isIndexFirst(bytes)).toBe(true);
  expect(bytes.length).toBeLessThan(segmentBytes + 30_000);
});

test('a file with a relatively large index is written in two passes, without reserved space', async () => {
  const { passes, ending, bytes, output } = await make({ durationMs: 2_000, sizeBytes: 200_000 });
  expect([passes, ending.ok, frames(output)]).toEqual([['two passes'], true, '60']);
  expect(isIndexFirst(bytes)).toBe(true);
});

test('an index that exceeds its reserved space causes a second run', async () => {
  const tight: RunFfmpeg = (args, aborted, limits) =>
    runFfmpeg(
      args.map((value, index) => (args[index - 1] === '-moov_size' ? '500' : value)),
      aborted,
      limits,
    );
  const output = join(folder, 'tight.mp4');
  const ending = await makeMp4(tight, job(output), { durationMs: 2_000, sizeBytes: 100_000_000 }, signal);
  expect([ending.ok, frames(output)]).toEqual([true, '60']);
  expect(isIndexFirst(await readFile(output))).toBe(true);
});

const limits = recordingLimits({ durationMs: 2_000, sizeBytes: 1_000_000 });

test('a run with exit code 0 that could not complete its file has failed', async () => {
  const args = ['-loglevel', 'error', '-i', join(folder, '0.ts'), '-c', 'copy', '-moov_size', '500', '-f', 'mp4', '-y'];
  const ending = await runFfmpeg([...args, join(folder, 'cut.mp4')], signal, limits);
  expect(ending).toMatchObject({ ok: false, wasKilled: false, message: expect.stringContaining('too small') });
});

test('a run that exceeds the file size limit ends with that limit', async () => {
  const args = ['-loglevel', 'error', '-i', join(folder, '0.ts'), '-c', 'copy', '-f', 'mp4', '-y'];
  const ending = await runFfmpeg([...args, join(folder, 'long.mp4')], signal, { ...limits, fileBytes: 2_000 });
  expect(ending).toMatchObject({ ok: false, limit: 'file' });
});
