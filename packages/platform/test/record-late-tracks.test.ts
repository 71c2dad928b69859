// Recordings of a track that is announced from the beginning and comes late, or never: sound that a program converts, and that program is
// slow or fails.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

/** Of each segment, seconds; a keyframe begins it. */
const segmentSeconds = 2;

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
  await mkdir(join(platform.dataDir, 'hls', 'live'), { recursive: true });
  await platform.call('applyRecord', { all: true });
});
afterEach(() => platform.dispose());

/** Segments of a picture and of sound that is announced in each and begins late, in seconds. */
async function makeSegments(seconds: number, soundFrom: number): Promise<string[]> {
  const folder = join(platform.dataDir, 'made');
  await mkdir(folder);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=25:duration=${seconds}`];
  const sound = ['-itsoffset', String(soundFrom), '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', String(25 * segmentSeconds), '-c:a', 'aac'];
  const length = ['-t', String(seconds), '-max_interleave_delta', '0'];
  const output = ['-f', 'segment', '-segment_time', String(segmentSeconds), '-segment_format', 'mpegts'];
  const args = [...picture, ...sound, ...codecs, ...length, ...output, join(folder, '%03d.ts')];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...args]);
  return (await readdir(folder)).sort().map((name) => join(folder, name));
}

async function record(files: readonly string[]): Promise<string> {
  for (const [number, made] of files.entries()) {
    const name = `s-${number}-1700000000000.ts`;
    const file = join(platform.dataDir, 'hls', 'live', name);
    await rename(made, file);
    const source = {
      vhost: '__defaultVhost__',
      app: 'live',
      stream: 's',
      m3u8_url: 'live/s.m3u8',
      url: `live/${name}`,
    };
    const body = { action: 'on_hls', ...source, file, duration: segmentSeconds, seq_no: number };
    await platform.call('hlsSegment', body, { 'x-callback-secret': testCallbackSecret });
  }
  const rows = async () => (await platform.call('queryRecordFiles', {})).body.data;
  const [{ uuid }] = await rows();
  await platform.call('endRecord', { uuid });
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'done', problem: '' }));
  return join(platform.dataDir, 'record', uuid, 'index.mp4');
}

/** Of each track: kind, when it begins and ends, seconds. */
function tracksOf(file: string): [string, number, number][] {
  const args = ['-loglevel', 'error', '-show_entries', 'packet=codec_type,pts_time', '-of', 'csv=p=0', file];
  const times = new Map<string, number[]>();
  for (const line of execFileSync('ffprobe', args, { encoding: 'utf8' }).trim().split('\n')) {
    const [kind = '', time] = line.split(',');
    times.set(kind, [...(times.get(kind) ?? []), Number(time)]);
  }
  return [...times].map(([kind, all]) => [kind, Math.min(...all), Math.max(...all)]);
}

it('sound that comes after a quarter of a minute is there from then on', async () => {
  const tracks = tracksOf(await record(await makeSegments(22, 15)));
  expect(tracks.map(([kind]) => kind)).toEqual(['video', 'audio']);
  const [[, pictureFrom, pictureTo], [, soundFrom, soundTo]] = tracks as [
    [string, number, number],
    [string, number, number],
  ];
  expect(pictureTo - pictureFrom).toBeCloseTo(22, 0);
  expect(soundFrom - pictureFrom).toBeCloseTo(15, 0);
  expect(soundTo - pictureFrom).toBeCloseTo(22, 0);
});

it('sound that never comes is left out, the picture is kept', async () => {
  const beforeIt = (await makeSegments(12, 9)).slice(0, 3);
  expect(tracksOf(await record(beforeIt)).map(([kind]) => kind)).toEqual(['video']);
});
