import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskHealth } from './disk-health.ts';
import { PlaylistFile } from './playlist-file.ts';
import { SegmentFile } from './segment-file.ts';
import { SegmentMemory } from './segment-memory.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segment-file-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('SegmentFile', () => {
  it('appears complete, in a folder created for it', async () => {
    const file = new SegmentFile(join(folder, 'live/sub/s-0-1700000000000.ts'));
    file.append([Buffer.from('one'), Buffer.from('two')]);
    file.append([Buffer.from('three')]);
    await file.finish();
    expect(await readFile(file.path, 'utf8')).toBe('onetwothree');
    expect(await readdir(join(folder, 'live/sub'))).toEqual(['s-0-1700000000000.ts']);
  });

  it('leaves no file when it fails', async () => {
    await writeFile(join(folder, 'live'), '');
    const file = new SegmentFile(join(folder, 'live/s-0-1700000000000.ts'));
    file.append([Buffer.from('one')]);
    await expect(file.finish()).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(await readdir(folder)).toEqual(['live']);
  });

  it('fails when too much data is queued for the disk', async () => {
    const file = new SegmentFile(join(folder, 's-0-1700000000000.ts'));
    const piece = Buffer.alloc(12 * 1024 * 1024);
    for (let count = 0; count < 3; count++) file.append([piece]);
    await expect(file.finish()).rejects.toThrow('too slow');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('PlaylistFile', () => {
  it('ends with the newest text', async () => {
    const file = new PlaylistFile(join(folder, 's.m3u8'));
    await Promise.all(['one', 'two', 'three'].map((text) => file.write(text)));
    expect(await readFile(file.path, 'utf8')).toBe('three');
    await file.remove();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('DiskHealth', () => {
  it('logs once when writing fails and once when it works again', async () => {
    const lines: string[] = [];
    const write = (_: object, message: string) => void lines.push(message);
    const disk = new DiskHealth({ debug: write, info: write, warn: write, error: write });
    const fail = () => Promise.reject(new Error('no space left'));
    const succeed = () => Promise.resolve();
    expect(await disk.guard('a', fail)).toBe(false);
    expect(await disk.guard('b', fail)).toBe(false);
    expect(await disk.guard('c', succeed)).toBe(true);
    expect(await disk.guard('d', succeed)).toBe(true);
    expect(lines).toEqual([
      'HLS files cannot be written, HLS is served from memory',
      'HLS files can be written to the disk again',
    ]);
  });
});

describe('SegmentMemory', () => {
  it('removes the oldest when it is full', () => {
    const memory = new SegmentMemory(100);
    const segments = [40, 40, 40].map((sizeBytes) => ({ chunks: [Buffer.alloc(sizeBytes)], sizeBytes }));
    for (const segment of segments) memory.keep(segment);
    expect(segments.map(({ chunks }) => chunks !== undefined)).toEqual([false, true, true]);
    expect(memory.bytes).toBe(80);
    for (const segment of segments) memory.drop(segment);
    expect(memory.bytes).toBe(0);
  });
});
