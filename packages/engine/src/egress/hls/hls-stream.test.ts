import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DiskHealth } from './disk-health.ts';
import { HlsStream, type SegmentKeeper } from './hls-stream.ts';
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

test('what follows a segment that a slow disk has cost is discontinuous, and not what waited for the disk before it', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const disk = new HeldDisk(log);
  const kept: string[] = [];
  const keeper: SegmentKeeper = {
    take: async (_key, _path, { sizeBytes, isDiscontinuous }) =>
      void kept.push(`${sizeBytes}${isDiscontinuous ? ' after a gap' : ''}`),
    miss: () => void kept.push('lost'),
  };
  const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };
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
    ports: { log, onFault: () => undefined, onHlsSegment: () => undefined },
    memory: new SegmentMemory(),
    disk,
    keeper,
    handOverMs: () => 250,
    clock: () => 0,
    wallClock: () => 1_700_000_000_000,
    firstSequence: 0,
  });
  const mebibyte = 1024 * 1024;
  for (const bytes of [1, 2, 33 * mebibyte, 3, 4]) {
    stream.onSegmentStart(false);
    stream.onSegmentData([Buffer.alloc(bytes)], true);
    stream.onSegmentEnd(2_000);
  }
  disk.letGo();
  await stream.close();
  // The first one of an output follows nothing.
  expect(kept).toEqual(['1 after a gap', '2', 'lost', '3 after a gap', '4']);
});
