import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DiskHealth } from './disk-health.ts';
import { HlsStream, type HlsStreamOptions } from './hls-stream.ts';
import { SegmentMemory } from './segment-memory.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hls-stream-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const log = { debug() {}, info() {}, warn() {}, error() {} };

function open(options: Partial<Pick<HlsStreamOptions, 'clock'>> = {}) {
  const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };
  const memory = new SegmentMemory();
  const reported: string[] = [];
  const stream = new HlsStream({
    stream: {
      key,
      publisher: undefined,
      viewFor: () => ({ video: undefined, audio: undefined, announcesVideo: false }),
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

test('segments of an unwatched stream are only on disk, and are read into memory once for concurrent requests', async () => {
  let now = 0;
  const { stream, memory, reported } = open({ clock: () => now });
  for (const text of ['one', 'two']) addSegment(stream, Buffer.from(text));
  await vi.waitFor(() => expect(reported).toHaveLength(2));
  expect(memory.bytes).toBe(0);

  const first = stream.findSegment(reported[0]!)!;
  const results = await Promise.all([stream.bytesOf(first), stream.bytesOf(first)]);
  expect(String(results[0])).toBe('one');
  expect(results[1]).toBe(results[0]);
  expect(memory.bytes).toBe(3);

  // After a request, new segments stay in memory.
  addSegment(stream, Buffer.from('three'));
  await vi.waitFor(() => expect(reported).toHaveLength(3));
  expect(memory.bytes).toBe(8);
  now += 120_000;
  addSegment(stream, Buffer.from('four'));
  await vi.waitFor(() => expect(reported).toHaveLength(4));
  expect(memory.bytes).toBe(8);
  await stream.close();
});

test('a segment that is being read when its stream is removed is not kept', async () => {
  const { stream, memory, reported } = open();
  addSegment(stream, Buffer.from('1'));
  await vi.waitFor(() => expect(reported).toHaveLength(1));
  const reading = stream.bytesOf(stream.findSegment(reported[0]!)!);
  await stream.dispose({ keepsPlaylist: false });
  await reading;
  expect(memory.bytes).toBe(0);
});
