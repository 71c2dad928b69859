import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Engine } from '../src/index.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { ffmpeg, type RunningProcess, testConfig, until } from './rtmp-server.ts';

let engine: Engine;
let folder: string;
let encoder: RunningProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyframe-test-'));
  engine = createEngine(testConfig, {
    log: recordingLog(),
    isValidStream: () => true,
    authorizePublish: async () => ({ allowed: true }),
    authorizePlay: async () => ({ allowed: true }),
    onUnpublish: () => {},
    onStop: () => {},
    onHlsSegment: () => {},
  });
});

afterEach(async () => {
  encoder?.kill();
  await engine.close();
  await rm(folder, { recursive: true });
});

it('decodes to exactly one frame of the stream, and does not count as a viewer', async () => {
  const { rtmpPort } = await engine.start();
  const source = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-c:v', 'libx264', '-g', '25'];
  encoder = ffmpeg(...source, '-pix_fmt', 'yuv420p', '-f', 'flv', `rtmp://127.0.0.1:${rtmpPort}/live/picture`);
  let flv: Buffer | undefined;
  await until(() => {
    flv = engine.keyframe(engine.streams()[0]?.id ?? '');
    return flv !== undefined;
  });
  const file = join(folder, 'keyframe.flv');
  await writeFile(file, flv!);
  const entries = ['-count_frames', '-show_entries', 'stream=codec_name,width,height,nb_read_frames'];
  const { stdout } = await promisify(execFile)('ffprobe', ['-v', 'error', ...entries, '-of', 'csv=p=0', file]);
  expect(stdout.trim()).toBe('h264,320,180,1');
  expect(engine.clients()).toHaveLength(1);
  expect(engine.keyframe('vid-none')).toBeUndefined();
});
