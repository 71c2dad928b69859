import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSlate } from '../src/sessions/slate/read-slate.ts';
import { maxSlateBytes, Slates } from '../src/sessions/slate/slates.ts';
import { recordingLog } from '../src/testing/recorders.ts';

const run = promisify(execFile);
const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };
let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-slate-'));
  file = join(folder, 'slate.ts');
  await run('ffmpeg', [
    ...[
      '-loglevel',
      'error',
      '-f',
      'lavfi',
      '-i',
      'color=s=320x180:r=25',
      '-f',
      'lavfi',
      '-i',
      'anullsrc=r=48000:cl=stereo',
    ],
    ...['-t', '2', '-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0', '-g', '50', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-f', 'mpegts', file],
  ]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const orderFor = (path: string) => ({ app: 'live', stream: 's', afterSeconds: 2, longestMinutes: 5, file: path });

describe('slate file', () => {
  it('becomes loops that follow each other without a gap', async () => {
    const { video, audio } = readSlate(await readFile(file));
    expect(video!.durationMs).toBeCloseTo(2000, 6);
    expect(video!.packets).toHaveLength(50);
    expect(video!.packets[0]).toMatchObject({ keyframe: true, dtsMs: 0, ptsMs: 0, track: { width: 320, height: 180 } });
    expect(audio!.packets[0]).toMatchObject({ dtsMs: 0, track: { codec: 'aac', sampleRate: 48_000, channels: 2 } });
    expect(audio!.durationMs / audio!.packets.length).toBeCloseTo(64 / 3, 1);
  });

  it('is read once for all its rules, and released with them', async () => {
    const slates = new Slates(recordingLog());
    await slates.configure([orderFor(file), { ...orderFor(file), stream: 't' }]);
    const rule = slates.ruleFor(key);
    expect(rule).toMatchObject({ afterMs: 2000, longestMs: 300_000 });
    expect(slates.ruleFor({ ...key, stream: 't' })?.media).toBe(rule?.media);
    expect(slates.ruleFor({ ...key, stream: 'other' })).toBeUndefined();
    await slates.configure([]);
    expect(slates.ruleFor(key)).toBeUndefined();
  });

  it('that is missing, too large, truncated or invalid is logged and not shown', async () => {
    const log = recordingLog();
    const slates = new Slates(log);
    const [large, garbage] = [join(folder, 'large.ts'), join(folder, 'garbage.ts')];
    writeFileSync(large, '');
    await truncate(large, maxSlateBytes + 1);
    writeFileSync(garbage, Buffer.alloc(5000, 0x5a));
    for (const path of [join(folder, 'missing.ts'), large, garbage]) {
      await slates.configure([orderFor(path)]);
      expect(slates.ruleFor(key)?.media).toBeUndefined();
    }
    expect(log.lines).toHaveLength(3);
  });

  it('truncated anywhere is used as far as possible, or refused', async () => {
    const bytes = await readFile(file);
    for (let length = 0; length < bytes.length; length += 97) {
      try {
        expect(readSlate(bytes.subarray(0, length)).video?.packets[0]?.keyframe ?? true).toBe(true);
      } catch (error) {
        expect((error as Error).message).toMatch(/^the (?:slate|video|audio|timestamps) /);
      }
    }
  });
});
