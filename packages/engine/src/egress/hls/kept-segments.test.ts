import { mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type HlsSegment, KeptSegments } from './kept-segments.ts';
import { SegmentMemory } from './segment-memory.ts';

let folder: string;
let memory: SegmentMemory;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-segments-'));
  memory = new SegmentMemory();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const open = (windowMs: number) => new KeptSegments({ windowMs, firstSequence: 0, memory });

/** Two seconds of media; in memory if `changes` has bytes, on disk if not. */
async function segmentOf(sequence: number, changes: Partial<HlsSegment> = {}): Promise<HlsSegment> {
  const fileName = `s-${sequence}.ts`;
  const path = join(folder, fileName);
  const text = String(sequence);
  const segment: HlsSegment = {
    ...{ fileName, path, sequence, durationMs: 2_000, isDiscontinuous: false, sizeBytes: text.length },
    ...{ chunks: undefined, isOnDisk: true, removeAtMs: 0 },
    ...changes,
  };
  if (segment.isOnDisk) await writeFile(path, text);
  return segment;
}
const inMemory = (sequence: number) => ({ chunks: [Buffer.from(String(sequence))] });
const files = async () => (await readdir(folder)).sort();

test('reads back only segments that live players request, and none whose file is missing or different', async () => {
  const kept = open(60_000);
  for (let sequence = 1; sequence <= 6; sequence++) kept.add(await segmentOf(sequence), 0);
  const [old, gone, other, ...rest] = kept.playlist.segments;
  expect(await kept.bytesOf(old!)).toBeUndefined();
  await unlink(gone!.path);
  expect(await kept.bytesOf(gone!)).toBeUndefined();
  await writeFile(other!.path, 'longer than it was');
  expect(await kept.bytesOf(other!)).toBeUndefined();
  expect(memory.bytes).toBe(0);
  expect((await Promise.all(rest.map((each) => kept.bytesOf(each)))).map(String)).toEqual(['4', '5', '6']);
  await kept.removeAll();
  expect([memory.bytes, await files()]).toEqual([0, []]);
});

test('the five newest stay in memory, and older ones are removed from the disk', async () => {
  const kept = open(60_000);
  for (let sequence = 1; sequence <= 7; sequence++) {
    kept.add(await segmentOf(sequence, { ...inMemory(sequence), isOnDisk: sequence !== 1 }), 0);
  }
  expect(kept.playlist.segments.filter(({ chunks }) => chunks).map(({ sequence }) => sequence)).toEqual([
    1, 3, 4, 5, 6, 7,
  ]);
});

test('a segment neither in memory nor on disk is removed from the list once it is the oldest', async () => {
  const kept = open(60_000);
  const lost = await segmentOf(1, { ...inMemory(1), isOnDisk: false });
  kept.add(lost, 0);
  kept.add(await segmentOf(2), 0);
  // Simulates that other streams use up the memory.
  memory.drop(lost);
  kept.add(await segmentOf(3), 0);
  expect(kept.playlist.segments.map(({ sequence }) => sequence)).toEqual([2, 3]);
  expect(kept.find('s-1.ts')).toBeUndefined();
});

test('a segment that left the playlist is available for one more window, then its file is removed', async () => {
  const kept = open(6_000);
  for (let sequence = 1; sequence <= 4; sequence++) kept.add(await segmentOf(sequence), 1_000);
  expect(kept.playlist.segments.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
  // A removed segment stays for the six seconds of the playlist plus its own two seconds.
  kept.sweep(8_999);
  expect(kept.find('s-1.ts')).toMatchObject({ sequence: 1, removeAtMs: 9_000 });
  kept.sweep(9_000);
  expect(kept.find('s-1.ts')).toBeUndefined();
  await vi.waitFor(async () => expect(await files()).toEqual(['s-2.ts', 's-3.ts', 's-4.ts']));
});

test('keeps no segment in memory after close, nor one that was being read then', async () => {
  const kept = open(60_000);
  const segment = await segmentOf(1);
  kept.add(segment, 0);
  const reading = kept.bytesOf(segment);
  kept.close();
  expect(await reading).toBeUndefined();
  expect(await kept.bytesOf(segment)).toBeUndefined();
  expect(memory.bytes).toBe(0);
});
