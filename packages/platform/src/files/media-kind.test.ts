import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fittingExtension, readHead } from './media-kind.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-kinds-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['.mp4', ['-c:v', 'libx264'], '.flv', '.mp4'],
  ['.mp4', ['-c:v', 'libx264', '-movflags', 'frag_keyframe+empty_moov'], '.mp4', '.mp4'],
  ['.mov', ['-c:v', 'libx264'], '.mov', '.mov'],
  ['.flv', ['-c:v', 'libx264', '-ar', '44100'], '.ts', '.flv'],
  ['.ts', ['-c:v', 'libx264'], '.ts', '.ts'],
  ['.mkv', ['-c:v', 'libx264'], '.mp4', '.mkv'],
  ['.mp3', ['-vn'], '.mp3', '.mp3'],
  ['.aac', ['-vn'], '.mp3', '.aac'],
  ['.m4a', ['-vn'], '.m4a', '.m4a'],
] as const)('%s made with %j and named %s is %s', async (made, options, named, expected) => {
  const file = join(folder, `x${made}`);
  const inputs = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=5', '-f', 'lavfi', '-i', 'sine'];
  execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-t', '1', ...options, '-y', file]);
  const head = await readHead(file);
  expect(fittingExtension(head, named)).toBe(expected);
  // A short file must not throw.
  for (let length = 0; length < 64; length++) fittingExtension(head.subarray(0, length), named);
});

it.each(['', 'G', '#EXTM3U\n/etc/passwd', '<html>', 'ffconcat version 1.0', '\0'.repeat(400)])(
  '%j is not media',
  (text) => {
    expect(fittingExtension(Buffer.from(text), '.mp4')).toBeUndefined();
  },
);
