// Behaviour of every store, tested on SQLite, Redis, and a Redis Cluster of two nodes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startRedisCluster } from '../testing/redis-cluster.ts';
import { hasRedis, startRedis, type TestRedis } from '../testing/redis-server.ts';
import { openStore } from './open-store.ts';
import type { ClusterSettings } from './redis/open-redis-store.ts';
import { absent, type CollectionType, type DocumentType, type LogType, type Store } from './store.ts';

const plain: DocumentType<{ n: number }> = { key: 'plain', schema: z.object({ n: z.number() }), empty: { n: 0 } };
const hidden: DocumentType<string> = { key: 'hidden', schema: z.string(), empty: '', secret: true };
const names: CollectionType<{ name: string }> = { name: 'names', schema: z.object({ name: z.string() }), secret: true };
const numbers: LogType<number> = { name: 'numbers', schema: z.number(), capacity: 5 };
const log = pino({ level: 'silent' });

interface Place {
  readonly cluster: () => ClusterSettings | undefined;
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
}

let redis: TestRedis;
let redisCluster: Awaited<ReturnType<typeof startRedisCluster>>;
const places: Record<string, Place> = {
  SQLite: { cluster: () => undefined, begin: async () => undefined, end: async () => undefined },
  Redis: {
    cluster: () => redis.cluster(),
    begin: async () => {
      redis = await startRedis();
    },
    end: () => redis.dispose(),
  },
  'a Redis Cluster': {
    cluster: () => redisCluster.cluster(),
    begin: async () => {
      redisCluster = await startRedisCluster();
    },
    end: () => redisCluster.dispose(),
  },
};

for (const [title, place] of Object.entries(places)) {
  describe.skipIf(title !== 'SQLite' && !hasRedis)(`the store on ${title}`, () => {
    let root: string;
    let store: Store;
    const open = async () =>
      (await openStore({ folder: await openDataFolder(root), cluster: place.cluster(), now: new Date(), log })).store;
    const reopen = async () => {
      await store.close();
      store = await open();
    };
    beforeAll(async () => {
      await place.begin();
      root = await mkdtemp(join(tmpdir(), 'srs-store-'));
      store = await open();
    });
    afterAll(async () => {
      await store?.close();
      await place.end();
      await rm(root, { recursive: true, force: true });
    });
    let run = 0;
    let [document, secret, rows, entries] = [plain, hidden, names, numbers];
    beforeEach(() => {
      run += 1;
      document = { ...plain, key: `plain-${run}` };
      secret = { ...hidden, key: `hidden-${run}` };
      rows = { ...names, name: `names-${run}` };
      entries = { ...numbers, name: `numbers-${run}` };
    });

    it('keeps documents, rows and logs when it is opened again', async () => {
      expect(await store.get(document)).toEqual({ n: 0 });
      await store.set(document, { n: 1 });
      await store.set(document, { n: 2 });
      await store.set(secret, 'a secret');
      await store.collection(rows).put('b', { name: 'B' });
      await store.log(entries).append(7);
      await reopen();
      expect(await store.get(document)).toEqual({ n: 2 });
      expect(await store.get(secret)).toBe('a secret');
      expect(await store.collection(rows).get('b')).toEqual({ name: 'B' });
      expect(await store.log(entries).newest(9)).toEqual([7]);
    });

    it('never returns the same empty object twice', async () => {
      const first = await store.get(document);
      first.n = 5;
      expect(await store.get(document)).toEqual({ n: 0 });
    });

    it('returns rows in byte order of their ids', async () => {
      const ids = ['b', 'a', 'A', 'ä', '\u{1f600}', '\uff21', 'a b', '', '__proto__'];
      for (const id of ids) await store.collection(rows).put(id, { name: id });
      const sorted = [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect([...(await store.collection(rows).entries()).keys()]).toEqual(sorted);
      expect(await store.collection({ ...rows, name: 'others' }).entries()).toEqual(new Map());
    });

    it('removes a row once', async () => {
      const collection = store.collection(rows);
      await collection.put('a', { name: 'A' });
      expect([await collection.remove('a'), await collection.remove('a')]).toEqual([true, false]);
      expect(await collection.get('a')).toBeUndefined();
    });

    it('keeps any text unchanged', async () => {
      const texts: DocumentType<string> = { key: `texts-${run}`, schema: z.string(), empty: '' };
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.boolean(), async (text, isSecret) => {
          await store.set({ ...texts, secret: isSecret }, text);
          expect(await store.get({ ...texts, secret: isSecret })).toBe(text);
        }),
        { numRuns: 100, seed: 7 },
      );
      const large = 'x'.repeat(3_000_000);
      await store.set(texts, large);
      expect(await store.get(texts)).toBe(large);
    });

    it('limits logs and returns the newest first', async () => {
      for (let i = 1; i <= 12; i++) await store.log(entries).append(i);
      await store.log({ ...entries, name: `other-${run}` }).append(99);
      expect(await store.log(entries).newest(3)).toEqual([12, 11, 10]);
      expect(await store.log(entries).newest(100)).toEqual([12, 11, 10, 9, 8]);
      expect(await store.log(entries).newest(0)).toEqual([]);
    });

    it('refuses a value that does not match its schema', async () => {
      await store.set({ ...document, schema: z.any() }, { n: 'text' } as never);
      await expect(store.get(document)).rejects.toThrow();
    });

    it('refuses a write based on an outdated document', async () => {
      const first = await store.read(document);
      expect(first).toEqual({ value: { n: 0 }, revision: absent });
      const written = await store.set(document, { n: 1 }, first.revision);
      expect((await store.read(document)).revision).toBe(written);
      await expect(store.set(document, { n: 2 }, first.revision)).rejects.toMatchObject({
        errorName: 'settingsChanged',
      });
      expect(await store.get(document)).toEqual({ n: 1 });
      await store.set(document, { n: 3 }, written);
      expect(await store.get(document)).toEqual({ n: 3 });
    });

    it('assigns an equal secret another revision', async () => {
      const first = await store.set(secret, 'same');
      expect(await store.set(secret, 'same')).not.toBe(first);
    });

    it('refuses a write and a removal based on an outdated row', async () => {
      const collection = store.collection(rows);
      const first = await collection.put('a', { name: 'A' }, absent);
      const refused = { errorName: 'settingsChanged' };
      await expect(collection.put('a', { name: 'B' }, absent)).rejects.toMatchObject(refused);
      const second = await collection.put('a', { name: 'B' }, first);
      await expect(collection.remove('a', first)).rejects.toMatchObject(refused);
      expect(await collection.read('a')).toEqual({ value: { name: 'B' }, revision: second });
      expect(await collection.remove('a', second)).toBe(true);
      expect(await collection.read('a')).toEqual({ value: undefined, revision: absent });
    });

    it('accepts one of several writes based on the same revision', async () => {
      const { revision } = await store.read(document);
      const writes = Array.from({ length: 20 }, (_, n) => store.set(document, { n }, revision));
      const won = (await Promise.allSettled(writes)).flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
      expect(won).toHaveLength(1);
      expect(await store.get(document)).toEqual({ n: won[0] });
    });

    it('reports its name and that it is available, and can be closed twice', async () => {
      expect(title).toContain(store.name);
      expect(store.awayMs()).toBe(0);
      await store.close();
      await store.close();
      store = await open();
    });
  });
}
