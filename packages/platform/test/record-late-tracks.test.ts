// Recordings with a track that is announced at the start but begins late or never, such as audio from a slow converter.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

/** Duration of a segment, seconds. Each segment starts with a keyframe. */
const segmentSeconds = 2;

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
  await mkdir(join(platform.dataDir, 'hls', 'live'), { recursive: true });
  await platform.call('applyRecord', { all: true });
});
afterEach(() => platform.dispose());

/** Segments with video and announced audio. The audio starts at `audioFrom` seconds. */
async function makeSegments(seconds: number, audioFrom: number): Promise<string[]> {
  const folder = join(platform.dataDir, 'made');
  await mkdir(folder);
  const video = ['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=25:duration=${seconds}`];
  const audio = ['-itsoffset', String(audioFrom), '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', String(25 * segmentSeconds), '-c:a', 'aac'];
  const length = ['-t', String(seconds), '-max_interleave_delta', '0'];
  const output = ['-f', 'segment', '-segment_time', String(segmentSeconds), '-segment_format', 'mpegts'];
  const args = [...video, ...audio, ...codecs, ...length, ...output, join(folder, '%03d.ts')];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...args]);
  return (await readdir(folder)).sort().map((name) => join(folder, name));
}

/** Maximum offset between tracks, seconds. Viewers notice larger offsets. */
const syncSeconds = 0.04;

async function record(files: readonly string[], duration = segmentSeconds): Promise<string> {
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
    const body = { action: 'on_hls', ...source, file, duration, seq_no: number };
    await platform.call('hlsSegment', body, { 'x-callback-secret': testCallbackSecret });
  }
  const rows = async () => (await platform.call('queryRecordFiles', {})).body.data;
  const [{ uuid }] = await rows();
  await platform.call('endRecord', { uuid });
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'done', problem: '' }));
  return join(platform.dataDir, 'record', uuid, 'index.mp4');
}

function tracksOf(file: string): [string, number, number][] {
  const args = ['-loglevel', 'error', '-show_entries', 'packet=codec_type,pts_time', '-of', 'csv=p=0', file];
  const times = new Map<string, number[]>();
  for (const line of execFileSync('ffprobe', args, { encoding: 'utf8' }).trim().split('\n')) {
    const [kind = '', time] = line.split(',');
    times.set(kind, [...(times.get(kind) ?? []), Number(time)]);
  }
  return [...times].map(([kind, all]) => [kind, Math.min(...all), Math.max(...all)]);
}

const pieceSeconds = 1;
type Kind = 'video' | 'audio';

/**
 * Simulates a server that detects a track while it writes. The tables of MPEG-TS list this track from its first packet on, which may be
 * inside a segment. Returns the start of the late track, in seconds after the start of the first track.
 */
async function makeAnnouncedLate(kind: Kind, from: number, { seconds = 8, perSegment = 2, bitrate = '200k' } = {}) {
  const folder = join(platform.dataDir, 'made');
  await mkdir(folder);
  const inputs = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${seconds}`];
  inputs.push('-f', 'lavfi', '-i', `sine=sample_rate=48000:duration=${seconds}`);
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '25', '-b:v', bitrate, '-c:a', 'aac'];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...inputs, ...codecs, join(folder, 'both.mp4')]);
  const cut = (name: string, options: readonly string[]) => {
    const output = ['-f', 'segment', '-segment_time', String(pieceSeconds), '-segment_format', 'mpegts'];
    const read = ['-loglevel', 'error', '-i', join(folder, 'both.mp4'), '-c', 'copy', ...options, ...output];
    execFileSync('ffmpeg', [...read, join(folder, `${name}-%03d.ts`)]);
  };
  cut('both', []);
  const piece = (name: string, number: number) => join(folder, `${name}-${String(number).padStart(3, '0')}.ts`);
  if (kind === 'audio') cut('first', ['-an']);
  else
    for (let at = 0; at < seconds; at++)
      await writeFile(piece('first', at), onlyAudio(await readFile(piece('both', at))));
  const segments: string[] = [];
  for (let at = 0; at < seconds; at += perSegment) {
    const pieces = Array.from({ length: perSegment }, (_, index) => at + index);
    const bytes = await Promise.all(pieces.map((n) => readFile(piece(n < from ? 'first' : 'both', n))));
    segments.push(join(folder, `segment-${String(at).padStart(3, '0')}.ts`));
    await writeFile(segments.at(-1)!, Buffer.concat(bytes));
  }
  const other = kind === 'audio' ? 'video' : 'audio';
  return { segments, beginsAt: firstTime(piece('both', from), kind) - firstTime(piece('first', 0), other) };
}

/** Constants of MPEG-TS: packet size, and FFmpeg's PIDs of the first program map and the first two tracks. */
const packetBytes = 188;
const pids = { map: 0x1000, video: 0x100, audio: 0x101 };
const packetsOf = (bytes: Buffer) =>
  Array.from({ length: bytes.length / packetBytes }, (_, at) =>
    bytes.subarray(at * packetBytes, (at + 1) * packetBytes),
  );
const pidOf = (packet: Buffer) => packet.readUInt16BE(1) & 0x1fff;

/** Removes the video from a segment, including its entry in the tables. */
function onlyAudio(both: Buffer): Buffer {
  const args = ['-loglevel', 'error', '-f', 'mpegts', '-i', 'pipe:0', '-vn', '-c', 'copy'];
  const output = ['-streamid', `0:${pids.audio}`, '-f', 'mpegts', 'pipe:1'];
  const named = packetsOf(execFileSync('ffmpeg', [...args, ...output], { input: both }));
  const map = named.find((packet) => pidOf(packet) === pids.map)!;
  const kept = packetsOf(both).filter((packet) => pidOf(packet) !== pids.video);
  return Buffer.concat(kept.map((packet) => (pidOf(packet) === pids.map ? map : packet)));
}

const firstTime = (file: string, kind: Kind) =>
  Math.min(
    ...execFileSync(
      'ffprobe',
      ['-loglevel', 'error', '-select_streams', kind[0]!, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', file],
      { encoding: 'utf8' },
    )
      .trim()
      .split('\n')
      .map((line) => Number.parseFloat(line))
      .filter((time) => !Number.isNaN(time)),
  );

it.each([
  [1, 2, '200k'],
  [2, 2, '200k'],
  [3, 2, '200k'],
  [5, 2, '200k'],
  [7, 2, '200k'],
  [1, 8, '200k'],
  [7, 8, '200k'],
  [1, 2, '4000k'],
  [3, 2, '4000k'],
  [7, 8, '4000k'],
])('audio announced after %i s, in segments of %i s at %sbit/s, starts there', async (from, perSegment, bitrate) => {
  const { segments, beginsAt } = await makeAnnouncedLate('audio', from, { perSegment, bitrate });
  const tracks = new Map(tracksOf(await record(segments, perSegment)).map(([kind, ...times]) => [kind, times]));
  expect([...tracks.keys()].sort()).toEqual(['audio', 'video']);
  const [[videoFrom, videoTo], [audioFrom, audioTo]] = [tracks.get('video')!, tracks.get('audio')!];
  expect(Math.abs(audioFrom! - videoFrom! - beginsAt)).toBeLessThan(syncSeconds);
  expect([videoTo! - videoFrom!, audioTo! - videoFrom!].map(Math.round)).toEqual([8, 8]);
});

it.each([1, 3, 4, 7])('video announced after %i s starts there', async (from) => {
  const { segments, beginsAt } = await makeAnnouncedLate('video', from);
  const tracks = new Map(tracksOf(await record(segments, 2)).map(([kind, ...times]) => [kind, times]));
  expect([...tracks.keys()].sort()).toEqual(['audio', 'video']);
  expect(Math.abs(tracks.get('video')![0]! - tracks.get('audio')![0]! - beginsAt)).toBeLessThan(syncSeconds);
});

it('audio that arrives after 15 seconds is present from then on', async () => {
  const tracks = tracksOf(await record(await makeSegments(22, 15)));
  expect(tracks.map(([kind]) => kind)).toEqual(['video', 'audio']);
  const [[, videoFrom, videoTo], [, audioFrom, audioTo]] = tracks as [
    [string, number, number],
    [string, number, number],
  ];
  expect(videoTo - videoFrom).toBeCloseTo(22, 0);
  expect(audioFrom - videoFrom).toBeCloseTo(15, 0);
  expect(audioTo - videoFrom).toBeCloseTo(22, 0);
});

it('audio that never arrives is omitted, the video is kept', async () => {
  const beforeIt = (await makeSegments(12, 9)).slice(0, 3);
  expect(tracksOf(await record(beforeIt)).map(([kind]) => kind)).toEqual(['video']);
});
