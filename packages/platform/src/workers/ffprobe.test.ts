// ffprobe and files that declare more than they contain, under the limits of the operating system.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@srs-stack/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { greyPng, mp4Claiming } from '../testing/hostile-media.ts';
import { probeMedia } from './ffprobe.ts';
import { toPng } from './uploaded-image.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-probe-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function reasonOf(step: Promise<unknown>): Promise<string> {
  const error = await step.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`not refused, but ${error}`);
  return `${error.errorName}: ${error.detail?.key}`;
}

it('a small file that declares 60 million samples is refused without allocating their memory', async () => {
  const bytes = mp4Claiming(60_000_000);
  expect(bytes.length).toBeLessThan(5_000);
  const refused = await reasonOf(probeMedia({ file: fileOf('claims.mp4', bytes) }));
  expect(refused).toBe('mediaUnusable: source.too-many-samples');
});

it('the same file with its real number of samples is read', async () => {
  const { video, format } = await probeMedia({ file: fileOf('honest.mp4', mp4Claiming(4_000)) });
  expect([video?.width, format.has_audio]).toEqual([320, false]);
});

it('frames of 16384 × 8192 are refused, in a video and as a watermark', async () => {
  const png = greyPng(16_384, 8_192);
  const film = join(folder, 'large.mov');
  execFileSync('ffmpeg', ['-v', 'error', '-i', fileOf('large.png', png), '-c', 'copy', film]);
  expect(await reasonOf(probeMedia({ file: film }))).toBe('mediaUnusable: source.picture-too-large');
  expect(await reasonOf(toPng(png))).toBe('watermarkUnusable: watermark.too-many-pixels');
});

it.each([
  ['upright', ['-pix_fmt', 'yuv420p'], 0, 0, ''],
  ['rotated', ['-pix_fmt', 'yuv420p'], 90, 90, 'rotation'],
  ['4:4:4', ['-pix_fmt', 'yuv444p'], 0, 0, 'pixels'],
  ['10 bit', ['-pix_fmt', 'yuv420p10le'], 0, 0, 'pixels'],
] as const)('returns why the video of an %s file must be encoded', async (name, options, turned, rotation, encodes) => {
  const [upright, file] = [join(folder, `${name.replace(/\W/g, '')}.mp4`), join(folder, `turned-${turned}.mp4`)];
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=0.2'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, '-c:v', 'libx264', ...options, upright]);
  const turn = ['-c', 'copy', '-metadata:s:v', `rotate=${turned}`];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', upright, ...turn, file]);
  const { video } = await probeMedia({ file });
  expect(video).toMatchObject({ rotation, encodes, width: 320, height: 180 });
});

it('a program that exceeds its memory or time limit is killed with that reason', async () => {
  const program = join(folder, 'greedy');
  const greedy = (script: string) => writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const file = fileOf('any.mp4', Buffer.from('any'));
  greedy('echo "any: Cannot allocate memory" >&2; exit 1');
  expect(await reasonOf(probeMedia({ file }, program))).toBe('mediaUnusable: source.limit-memory');
  greedy('kill -XCPU $$');
  expect(await reasonOf(probeMedia({ file }, program))).toBe('mediaUnusable: source.limit-cpu');
});
