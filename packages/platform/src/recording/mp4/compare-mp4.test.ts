// Compares MP4 files of the real FFmpeg with expected tracks, starts and durations.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareMp4 } from './compare-mp4.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'compare-mp4-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function make(name: string, audioFrom: number | undefined): string {
  const path = join(folder, name);
  const video = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=4'];
  const shifted = ['-itsoffset', String(audioFrom), '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-t', '4'];
  execFileSync('ffmpeg', ['-v', 'error', ...video, ...(audioFrom === undefined ? [] : shifted), ...codecs, path]);
  return path;
}

it('finds no difference when tracks, starts and duration are as expected', async () => {
  const file = make('late.mp4', 2.5);
  expect(await compareMp4(file, { starts: { video: 0, audio: 2.5 }, durationSeconds: 4 })).toEqual([]);
  expect(await compareMp4(file, { starts: { video: 0, audio: undefined }, durationSeconds: 4 })).toEqual([]);
});

it('reports a file that cannot be read', async () => {
  const expected = { starts: { video: 0, audio: undefined }, durationSeconds: 4 };
  expect(await compareMp4(join(folder, 'none.mp4'), expected)).toEqual([
    expect.stringContaining('could not be compared with its segments'),
  ]);
});

it('reports a missing track, a track with another start, and another duration', async () => {
  const silent = make('silent.mp4', undefined);
  expect(await compareMp4(silent, { starts: { video: 0, audio: 2.5 }, durationSeconds: 4 })).toEqual([
    'the MP4 has no audio',
  ]);
  const early = make('early.mp4', 1);
  expect(await compareMp4(early, { starts: { video: 0, audio: 2.5 }, durationSeconds: 20 })).toEqual([
    expect.stringMatching(/^audio of the MP4 begins at (0\.9|1\.0)\d s instead of 2\.50 s$/),
    expect.stringMatching(/^the MP4 lasts 4\.0\d s instead of 20\.00 s$/),
  ]);
});
