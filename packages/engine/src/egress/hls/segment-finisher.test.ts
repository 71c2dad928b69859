import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HlsSegmentEvent } from '../../ports.ts';
import { publisherSession } from '../../testing/recorders.ts';
import { DiskHealth } from './disk-health.ts';
import { GrowingSegment } from './growing-segment.ts';
import type { HlsSegment } from './kept-segments.ts';
import { SegmentFinisher, type SegmentFinisherOptions, type SegmentKeeper } from './segment-finisher.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const mebibyte = 1024 * 1024;

let folder: string;
let sequence: number;
let listed: HlsSegment[];
let kept: string[];
let reported: HlsSegmentEvent[];
let faults: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segment-finisher-'));
  sequence = 0;
  [listed, kept, reported, faults] = [[], [], [], []];
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

class HeldDisk extends DiskHealth {
  letGo = (): void => undefined;
  readonly #held = new Promise<void>((resolve) => {
    this.letGo = resolve;
  });

  override async guard(path: string, step: () => Promise<void>): Promise<boolean> {
    await this.#held;
    return super.guard(path, step);
  }
}

const keeper: SegmentKeeper = {
  take: async (_key, _path, { sizeBytes, isDiscontinuous }) =>
    void kept.push(`${sizeBytes}${isDiscontinuous ? ' after a gap' : ''}`),
  miss: () => void kept.push('lost'),
};

function open(changes: Partial<SegmentFinisherOptions> = {}): SegmentFinisher {
  return new SegmentFinisher({
    key: { vhost: '__defaultVhost__', app: 'live', stream: 's' },
    ports: { log, onFault: (error) => void faults.push(error), onHlsSegment: (event) => void reported.push(event) },
    disk: new DiskHealth(log),
    keeper,
    playlistFile: { path: join(folder, 's.m3u8'), write: async (text) => void kept.push(text) },
    isWatched: () => true,
    list: (segment) => void listed.push(segment),
    playlistText: () => `${listed.length} listed`,
    ...changes,
  });
}

function grow(bytes: Buffer, where = folder): GrowingSegment {
  const fileName = `s-${sequence}.ts`;
  const growing = new GrowingSegment({
    ...{ fileName, path: join(where, fileName), sequence: sequence++, startedAtMs: 1_700_000_000_000 },
    ...{ isDiscontinuous: false, publisher: publisherSession({ clientId: 'pub00001', ip: '203.0.113.7' }) },
  });
  growing.append([bytes], true);
  return growing;
}
const broken = '/dev/null/none';

test('a segment is listed, reported with its publisher, passed on, and the playlist written, in this order', async () => {
  const finisher = open();
  finisher.finish(grow(Buffer.from('one')), 2_000);
  finisher.finish(grow(Buffer.from('three')), 1_500);
  await finisher.quiet();
  expect(kept).toEqual(['3 after a gap', '1 listed', '5', '2 listed']);
  expect(listed).toMatchObject([
    { sequence: 0, durationMs: 2_000, sizeBytes: 3, isOnDisk: true, isDiscontinuous: false },
    { sequence: 1, durationMs: 1_500, sizeBytes: 5, isOnDisk: true, isDiscontinuous: false },
  ]);
  expect(reported[1]).toMatchObject({
    ...{ clientId: 'pub00001', ip: '203.0.113.7', file: join(folder, 's-1.ts'), url: 'live/s-1.ts' },
    ...{ m3u8: join(folder, 's.m3u8'), m3u8Url: 'live/s.m3u8', durationSeconds: 1.5, sequenceNumber: 1 },
  });
  expect(await readFile(join(folder, 's-1.ts'), 'utf8')).toBe('three');
});

test('after a segment lost to a slow disk, the next one is discontinuous, but not segments queued before', async () => {
  const disk = new HeldDisk(log);
  const finisher = open({ disk, playlistFile: { path: join(folder, 's.m3u8'), write: async () => undefined } });
  for (const bytes of [1, 2, 33 * mebibyte, 3, 4]) finisher.finish(grow(Buffer.alloc(bytes)), 2_000);
  disk.letGo();
  await finisher.quiet();
  // The first segment of an output has no predecessor.
  expect(kept).toEqual(['1 after a gap', '2', 'lost', '3 after a gap', '4']);
  expect(listed.map(({ isDiscontinuous }) => isDiscontinuous)).toEqual([false, false, true, false]);
  expect((await readdir(folder)).sort()).toEqual(['s-0.ts', 's-1.ts', 's-3.ts', 's-4.ts']);
});

test('when the disk fails, the segment is listed from memory and not reported, and viewers see no gap', async () => {
  const finisher = open({ isWatched: () => false });
  finisher.finish(grow(Buffer.from('one')), 2_000);
  finisher.finish(grow(Buffer.from('two'), broken), 2_000);
  finisher.finish(grow(Buffer.from('six')), 2_000);
  await finisher.quiet();
  expect(listed.map(({ isOnDisk, chunks, isDiscontinuous }) => [isOnDisk, String(chunks), isDiscontinuous])).toEqual([
    [true, 'undefined', false],
    [false, 'two', false],
    [true, 'undefined', false],
  ]);
  expect(reported.map(({ sequenceNumber }) => sequenceNumber)).toEqual([0, 2]);
  expect(kept.filter((each) => !each.endsWith('listed'))).toEqual(['3 after a gap', 'lost', '3']);
});

test('a segment too large for memory is lost with its file', async () => {
  const finisher = open();
  finisher.finish(grow(Buffer.from('one')), 2_000);
  finisher.finish(grow(Buffer.alloc(9 * mebibyte), broken), 2_000);
  finisher.finish(grow(Buffer.from('two')), 2_000);
  await finisher.quiet();
  expect(listed.map((each) => [each.sequence, each.isDiscontinuous])).toEqual([
    [0, false],
    [2, true],
  ]);
});

test('a host that fails at one segment is reported, and the next one is processed', async () => {
  const bug = new Error('planted');
  const onHlsSegment = (event: HlsSegmentEvent) => {
    if (event.sequenceNumber === 0) throw bug;
    reported.push(event);
  };
  const finisher = open({ ports: { log, onFault: (error) => void faults.push(error), onHlsSegment } });
  finisher.finish(grow(Buffer.from('one')), 2_000);
  finisher.finish(grow(Buffer.from('two')), 2_000);
  await finisher.quiet();
  expect([faults, reported.map(({ sequenceNumber }) => sequenceNumber)]).toEqual([[bug], [1]]);
});
