// Two control planes on one Redis. Both show an image that one of them received, even after the image was removed from the store.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { thisServer } from '../../actor.ts';
import { createAuditTrail } from '../../store/audit-trail.ts';
import { openRedisStore } from '../../store/redis/open-redis-store.ts';
import type { Store } from '../../store/store.ts';
import { hasRedis, startRedis, type TestRedis } from '../../testing/redis-server.ts';
import { openSlates, type Slates } from './slates.ts';

const log = pino({ level: 'silent' });
const now = () => new Date('2026-01-02T03:04:05Z');
const by = { actor: thisServer };
const images = { name: 'slate-images', schema: z.object({ data: z.string() }) };
const text = (value: string) => Buffer.from(value).toString('base64');
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

interface Node {
  readonly slates: Slates;
  readonly store: Store;
  close(): Promise<void>;
}

describe.skipIf(!hasRedis)('two nodes of a cluster', () => {
  let redis: TestRedis;
  let north: Node;
  let south: Node;
  beforeEach(async () => {
    redis = await startRedis();
    [north, south] = [await openNode(), await openNode()];
  });
  afterEach(async () => {
    await Promise.all([north?.close(), south?.close()]);
    await redis?.dispose();
  });

  async function openNode(): Promise<Node> {
    const dataDir = mkdtempSync(join(tmpdir(), 'srs-stack-slates-'));
    mkdirSync(join(dataDir, 'config'));
    const { store } = await openRedisStore(redis.cluster(), { now: now(), log, knownId: undefined, knownIdFile: '' });
    const slates = await openSlates({
      ...{ store, log, dataDir, clock: () => 0, audit: createAuditTrail({ store, log, now }) },
      mediaServer: { listStreams: async () => [], readKeyframe: async () => undefined },
      ...{ toImage: async (file) => file, encode: async () => undefined, drawPreview: async () => Buffer.alloc(0) },
      ...{
        takeScreenshot: async () => undefined,
        canShow: true,
        publishSecret: { current: () => ({ publish: '' }) },
        now,
      },
      ...{ folders: { pathOf: async () => undefined }, library: { keep: async (target) => target } },
    });
    const stop = new AbortController();
    const running = slates.run(stop.signal);
    return {
      ...{ slates, store },
      async close() {
        stop.abort();
        await running;
        await store.close();
        rmSync(dataDir, { recursive: true });
      },
    };
  }

  const shown = async ({ slates }: Node) => (await slates.picture())?.split(',')[1];

  it('show the image that either of them received last', async () => {
    await north.slates.change({ image: text('first') }, by);
    await eventually(async () => expect(await shown(south)).toBe(text('first')));
    await south.slates.change({ image: text('second') }, by);
    await eventually(async () => expect(await shown(north)).toBe(text('second')));
    await eventually(async () => expect((await north.store.collection(images).entries()).size).toBe(1));
  });

  it('restore the image in the store that the other one has removed', async () => {
    await north.slates.change({ image: text('first') }, by);
    await eventually(async () => expect(await shown(south)).toBe(text('first')));
    const { image } = north.slates.query();
    const rows = south.store.collection(images);
    await rows.remove(image);
    await eventually(async () => expect(await rows.get(image)).toEqual({ data: text('first') }));
  });
});
