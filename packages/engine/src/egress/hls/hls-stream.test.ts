import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DiskHealth } from './disk-health.ts';
import { HlsStream, type HlsStreamOptions, type SegmentKeeper } from './hls-stream.ts';
import { SegmentMemory } from './segment-memory.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hls-stream-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A disk that does nothing until it is let go. */
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

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** A stream without a publisher, whose segments the test makes; the clock is the test's. */
function open(options: Partial<Pick<HlsStreamOptions, 'disk' | 'keeper' | 'clock'>> = {}) {
  const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };
  const memory = new SegmentMemory();
  const reported: string[] = [];
  const stream = new HlsStream({
    stream: {
      key,
      publisher: undefined,
      viewFor: () => ({ video: undefined, audio: undefined }),
      undeliverableAudio: () => undefined,
    },
    config: {
      ...{ enabled: true, path: folder, fragmentSeconds: 2, windowSeconds: 60, aofRatio: 2, disposeSeconds: 10 },
      ...{ lowLatency: false, sessionContexts: false },
    },
    ports: { log, onFault: () => undefined, onHlsSegment: ({ file }) => void reported.push(basename(file)) },
    memory,
    disk: new DiskHealth(log),
    keeper: undefined,
    handOverMs: () => 250,
    clock: () => 0,
    wallClock: () => 1_700_000_000_000,
    firstSequence: 0,
    ...options,
  });
  return { stream, memory, reported };
}

function addSegment(stream: HlsStream, bytes: Buffer): void {
  stream.onSegmentStart(false);
  stream.onSegmentData([bytes], true);
  stream.onSegmentEnd(2_000);
}

test('what follows a segment that a slow disk has cost is discontinuous, and not what waited for the disk before it', async () => {
  const disk = new HeldDisk(log);
  const kept: string[] = [];
  const keeper: SegmentKeeper = {
    take: async (_key, _path, { sizeBytes, isDiscontinuous }) =>
      void kept.push(`${sizeBytes}${isDiscontinuous ? ' after a gap' : ''}`),
    miss: () => void kept.push('lost'),
  };
  const { stream } = open({ disk, keeper });
  const mebibyte = 1024 * 1024;
  for (const bytes of [1, 2, 33 * mebibyte, 3, 4]) addSegment(stream, Buffer.alloc(bytes));
  disk.letGo();
  await stream.close();
  // The first one of an output follows nothing.
  expect(kept).toEqual(['1 after a gap', '2', 'lost', '3 after a gap', '4']);
});

test('segments of a stream that nobody watches are on the disk alone, and are in memory again for all who ask at once', async () => {
  let now = 0;
  const { stream, memory, reported } = open({ clock: () => now });
  for (const text of ['one', 'two']) addSegment(stream, Buffer.from(text));
  await vi.waitFor(() => expect(reported).toHaveLength(2));
  expect(memory.bytes).toBe(0);

  const first = stream.findSegment(reported[0]!)!;
  const answers = await Promise.all([stream.bytesOf(first), stream.bytesOf(first)]);
  expect(String(answers[0])).toBe('one');
  expect(answers[1]).toBe(answers[0]);
  expect(memory.bytes).toBe(3);

  // Somebody has asked: what comes next stays where it is.
  addSegment(stream, Buffer.from('three'));
  await vi.waitFor(() => expect(reported).toHaveLength(3));
  expect(memory.bytes).toBe(8);
  now += 120_000;
  addSegment(stream, Buffer.from('four'));
  await vi.waitFor(() => expect(reported).toHaveLength(4));
  expect(memory.bytes).toBe(8);
  await stream.close();
});

test('only what live players ask for is brought back to memory, and nothing whose file is gone or is another', async () => {
  const { stream, memory, reported } = open();
  for (const text of ['1', '2', '3', '4', '5', '6']) addSegment(stream, Buffer.from(text));
  await vi.waitFor(() => expect(reported).toHaveLength(6));
  const [old, gone, other, ...rest] = reported.map((name) => stream.findSegment(name)!);
  expect(await stream.bytesOf(old!)).toBeUndefined();
  await unlink(gone!.path);
  expect(await stream.bytesOf(gone!)).toBeUndefined();
  await writeFile(other!.path, 'longer than it was');
  expect(await stream.bytesOf(other!)).toBeUndefined();
  expect(memory.bytes).toBe(0);
  expect((await Promise.all(rest.map((each) => stream.bytesOf(each)))).map(String)).toEqual(['4', '5', '6']);
  await stream.dispose({ keepsPlaylist: false });
  expect(memory.bytes).toBe(0);
});

test('a segment that is read while its stream is forgotten is not kept', async () => {
  const { stream, memory, reported } = open();
  addSegment(stream, Buffer.from('1'));
  await vi.waitFor(() => expect(reported).toHaveLength(1));
  const reading = stream.bytesOf(stream.findSegment(reported[0]!)!);
  await stream.dispose({ keepsPlaylist: false });
  await reading;
  expect(memory.bytes).toBe(0);
});
