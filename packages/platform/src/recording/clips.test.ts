import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RewindSegment, rewindFolderOf, writeRewindSegmentName } from '@srs-stack/playback/rewind/rewind-names.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClips } from './clips.ts';
import type { RecordFacts } from './record-facts.ts';
import { openRecordFolder, type RecordFolder } from './record-folder.ts';

const source = { app: 'live/sub', stream: 'x' };
const noon = Date.parse('2026-05-01T12:00:00Z');
const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString();
let dataDir = '';
let folder: RecordFolder;
let kept: RecordFacts[];
let enqueued: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'clips-'));
  folder = await openRecordFolder(join(dataDir, 'record'));
  [kept, enqueued] = [[], []];
});
afterEach(() => rm(dataDir, { recursive: true }));

const clips = () =>
  createClips({
    root: join(dataDir, 'rewind'),
    folder,
    catalogue: { keep: async (facts: RecordFacts) => void kept.push(facts) } as never,
    finisher: { enqueue: (uuid) => void enqueued.push(uuid) },
    now: () => new Date(noon),
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } as never,
  });

/** Creates two-second segments that start at noon. Segments from number `breakAt` on come from another encoder. */
async function fill(count: number, breakAt = count): Promise<void> {
  const target = rewindFolderOf(join(dataDir, 'rewind'), source);
  await mkdir(target, { recursive: true });
  for (let index = 0; index < count; index++) {
    const segment: RewindSegment = {
      ...{ sequence: index, discontinuity: Number(index >= breakAt), startMs: noon + index * 2000 },
      ...{ durationMs: 2000, sizeBytes: 188 },
    };
    await writeFile(join(target, writeRewindSegmentName(segment)), Buffer.alloc(188, 0x47));
  }
  await writeFile(join(target, `${noon}.jpg`), 'picture');
}

it('cuts at the segments around the times, and returns the exact range', async () => {
  await fill(10, 4);
  const clip = await clips().create(source, { from: at(5), to: at(9) });
  expect(clip).toMatchObject({ from: at(4), to: at(10), seconds: 6, sizeBytes: 3 * 188 });
  expect(kept[0]).toMatchObject({ state: 'finishing', begin: at(4), duration: 6, clip: { from: at(4), to: at(10) } });
  expect(enqueued).toEqual([clip.uuid]);
  const segments = await folder.segments(clip.uuid);
  expect(segments.map(({ sequence, isDiscontinuous }) => [sequence, isDiscontinuous])).toEqual([
    [2, false],
    [3, false],
    [4, true],
  ]);
});

it('keeps its media when the segments leave the window', async () => {
  await fill(3);
  const { uuid } = await clips().create(source, { from: at(0), to: at(6) });
  await rm(join(dataDir, 'rewind'), { recursive: true });
  expect(await folder.segments(uuid)).toHaveLength(3);
});

it('returns the window, and the range that would be cut', async () => {
  await fill(10);
  expect(await clips().windows()).toEqual([{ ...source, since: at(0), until: at(20), sizeBytes: 1880 }]);
  expect(await clips().window(source, {})).toMatchObject({ since: at(0), until: at(20), cut: null });
  expect((await clips().window(source, { from: at(19) })).cut).toMatchObject({ from: at(18), to: at(20) });
  expect((await clips().window(source, { from: at(30), to: at(40) })).cut).toBeNull();
});

it.each([
  [{ from: at(5), to: at(5) }, 'invalidRequest'],
  [{ from: at(9), to: at(5) }, 'invalidRequest'],
  [{ from: 'yesterday', to: at(5) }, 'invalidRequest'],
  [{ from: at(100), to: at(200) }, 'notFound'],
  [{ from: '0001-01-01T00:00:00Z', to: '0002-01-01T00:00:00Z' }, 'notFound'],
  [{ from: '9999-01-01T00:00:00Z', to: '9999-01-02T00:00:00Z' }, 'notFound'],
])('%o is refused: %s', async (moments, errorName) => {
  await fill(10);
  await expect(clips().create(source, moments)).rejects.toMatchObject({ errorName });
  expect(await readdir(join(dataDir, 'record'))).toEqual(['.bin']);
});

it.each([
  { app: '../../etc', stream: 'x' },
  { app: 'live', stream: '../sub/x' },
  { app: 'live', stream: '..' },
  { app: '', stream: '' },
  { app: 'live/sub', stream: 'y' },
])('%o has no media', async (other) => {
  await fill(2);
  await expect(clips().window(other, {})).rejects.toMatchObject({ errorName: 'notFound' });
});

it('a segment that expires during the cut leaves no partial clip', async () => {
  await fill(3);
  const broken = createClips({
    root: join(dataDir, 'rewind'),
    folder: { ...folder, adopt: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' })) },
    catalogue: {} as never,
    finisher: { enqueue: () => undefined },
    now: () => new Date(noon),
    log: {} as never,
  });
  await expect(broken.create(source, { from: at(0), to: at(4) })).rejects.toThrow('gone');
  expect(await readdir(join(dataDir, 'record'))).toEqual(['.bin']);
});
