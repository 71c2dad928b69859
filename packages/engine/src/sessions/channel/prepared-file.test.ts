import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexNameOf } from '@srs-stack/process/channel-orders.ts';
import { expect, it, onTestFinished } from 'vitest';
import { PreparedFile } from './prepared-file.ts';

async function openFilesIn(folder: string): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((path) => path.startsWith(folder));
}

it.each([
  ['without a length', { keyframes: [[0, 13]] }],
  ['without keyframes', { durationMs: 1_000, keyframes: [] }],
  ['with a keyframe that is not a pair', { durationMs: 1_000, keyframes: [7] }],
  ['with a keyframe without a position', { durationMs: 1_000, keyframes: [[0]] }],
])('refuses an index %s, and leaves no open file', async (_, index) => {
  const folder = await mkdtemp(join(tmpdir(), 'srs-prepared-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'clip.flv');
  await writeFile(file, 'FLV');
  await writeFile(indexNameOf(file), JSON.stringify({ startMs: 0, mediaAt: 13, ...index }));
  await expect(PreparedFile.open(file, 0)).rejects.toThrow('the index of the prepared file is damaged');
  expect(await openFilesIn(folder)).toEqual([]);
});
