// A Redis that could lose settings must be refused at the start, with an error message that contains the remedy.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readEnv } from '../../env.ts';
import { freePort, hasRedis, startRedis, type TestRedis, testClusterSecret } from '../../testing/redis-server.ts';
import { openStore } from '../open-store.ts';
import { absent } from '../store.ts';
import { parseClusterAddress } from './cluster-address.ts';
import { type ClusterSettings, openRedisStore } from './open-redis-store.ts';
import { redisKeys } from './redis-keys.ts';
import { migrateRedis } from './redis-migrations.ts';

const log = pino({ level: 'silent' });
const now = new Date('2026-01-02T03:04:05Z');
const keys = redisKeys('test');

async function refusalOf(opening: Promise<{ store: { close(): Promise<void> } }>): Promise<string> {
  const refusal = await opening.then(
    async ({ store }) => {
      await store.close();
      throw new Error('it was opened');
    },
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(StartRefusal);
  return (refusal as StartRefusal).message;
}

describe.skipIf(!hasRedis)('a Redis at the start', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.dispose());
  beforeEach(async () => {
    await redis.client.flushall();
  });
  const open = (settings: ClusterSettings, known?: string) =>
    openRedisStore(settings, { now, log, knownId: known, knownIdFile: '/data/config/cluster-store', waitMs: 500 });
  const shown = () => `redis://127.0.0.1:${redis.port}`;

  it('that does not respond is refused', async () => {
    const port = await freePort();
    const message = await refusalOf(open(redis.cluster({ address: parseClusterAddress(`redis://127.0.0.1:${port}`) })));
    expect(message).toMatch(
      new RegExp(
        `^The store at redis://127.0.0.1:${port} does not respond \\(.*ECONNREFUSED.*\\): start it, or correct`,
      ),
    );
  });

  it('with another password is refused immediately, and the message contains no password', async () => {
    const locked = await startRedis(['--requirepass', 'right-password']);
    try {
      const at = (userInfo: string) =>
        open({ ...redis.cluster(), address: parseClusterAddress(`redis://${userInfo}127.0.0.1:${locked.port}`) });
      for (const userInfo of ['', ':wrong-password@', 'nobody:right-password@']) {
        const message = await refusalOf(at(userInfo));
        expect(message).toContain('refuses this server');
        expect(message).not.toMatch(/(?:right|wrong)-password/);
      }
      await (await at(':right-password@')).store.close();
    } finally {
      await locked.dispose();
    }
  });

  it('needs no more permissions than documented', async () => {
    const documents = await readFile(new URL('../../../../../docs/how-to/use-redis.md', import.meta.url), 'utf8');
    const rights = /`(~srs-stack:\* [^`]+)`/.exec(documents)?.[1]?.split(' ') ?? [];
    expect(rights.length).toBeGreaterThan(3);
    await redis.client.call('ACL', 'SETUSER', 'product', 'on', '>a-password', ...rights);
    const address = parseClusterAddress(`redis://product:a-password@127.0.0.1:${redis.port}`);
    const [one, other] = [await open({ ...redis.cluster(), address }), await open({ ...redis.cluster(), address })];
    const type = { key: 'k', schema: z.string(), empty: '' };
    const heard = new Promise((resolve) => other.store.subscribe(resolve));
    const revision = await one.store.set(type, 'one', absent);
    expect(await heard).toEqual({ kind: 'document', key: 'k', revision });
    await one.store.log({ name: 'l', schema: z.string(), capacity: 3 }).append('entry');
    await expect(one.store.collection({ name: 'c', schema: z.string() }).entries()).resolves.toEqual(new Map());
    await Promise.all([one.store.close(), other.store.close()]);
  });

  it('that is a replica is refused with the name of its primary', async () => {
    const replica = await startRedis(['--replicaof', '127.0.0.1', String(redis.port)]);
    try {
      const message = await refusalOf(open(replica.cluster()));
      expect(message).toContain(
        `is a read-only replica of 127.0.0.1:${redis.port}: set CLUSTER_URL to the address of the primary`,
      );
    } finally {
      await replica.dispose();
    }
  });

  it.each(['allkeys-lru', 'volatile-ttl'])('that evicts (%s) is refused', async (policy) => {
    await redis.client.config('SET', 'maxmemory-policy', policy);
    try {
      const message = await refusalOf(open(redis.cluster()));
      expect(message).toContain(`may delete settings when its memory is full (maxmemory-policy ${policy})`);
    } finally {
      await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
    }
  });

  it('with another secret is refused and unchanged', async () => {
    await (await open(redis.cluster())).store.close();
    const message = await refusalOf(open(redis.cluster({ secret: 'another secret of many letters' })));
    expect(message).toBe(
      `CLUSTER_SECRET does not match the store at ${shown()}: use the secret with which the cluster "test" was created`,
    );
    await (await open(redis.cluster())).store.close();
  });

  it('written by a newer release is refused', async () => {
    await (await open(redis.cluster())).store.close();
    await redis.client.hset(keys.meta, 'schema', 99);
    expect(await refusalOf(open(redis.cluster()))).toContain('was written by a newer release, install that release');
  });

  it('separates clusters of different names', async () => {
    const type = { key: 'k', schema: z.string(), empty: '' };
    const [one, other] = await Promise.all([open(redis.cluster()), open(redis.cluster({ name: 'other' }))]);
    await one.store.set(type, 'one');
    expect(await other.store.get(type)).toBe('');
    await Promise.all([one.store.close(), other.store.close()]);
    expect((await redis.client.keys('*')).every((key) => /^srs-stack:\{(?:test|other)\}:store:/.test(key))).toBe(true);
  });

  it('that is empty although it was used before is refused by every server that used it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'srs-known-'));
    try {
      const folder = await openDataFolder(root);
      const place = { folder, cluster: redis.cluster(), now, log };
      await (await openStore(place)).store.close();
      await (await openStore(place)).store.close();
      await redis.client.flushall();
      expect(await refusalOf(openStore(place))).toBe(
        `The store at ${shown()} is empty, but this server used a store there before: restore its backup, or remove ${folder.config}/cluster-store to create a new one`,
      );
      expect(await redis.client.dbsize()).toBe(0);
      await rm(join(folder.config, 'cluster-store'));
      await (await openStore(place)).store.close();
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});

describe.skipIf(!hasRedis)('the layout of a store in Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.dispose());
  beforeEach(async () => {
    await redis.client.flushall();
  });
  const steps = [`redis.call('HSET', KEYS[1], 'id', ARGV[3])`, `redis.call('INCR', KEYS[1] .. ':steps')`];

  it('is created once when many processes start together', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => migrateRedis(redis.client, keys, { now, steps })));
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
    expect(ids.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await redis.client.get(`${keys.meta}:steps`)).toBe('1');
    expect(await redis.client.exists(keys.lock)).toBe(0);
  });

  it('continues where a process died between two steps, when its lock has expired', async () => {
    await migrateRedis(redis.client, keys, { now, steps: steps.slice(0, 1) });
    await redis.client.set(keys.lock, 'of a dead process', 'PX', 400);
    await migrateRedis(redis.client, keys, { now, steps });
    expect(await redis.client.get(`${keys.meta}:steps`)).toBe('1');
  });

  it('is not changed by a process that has lost the lock', async () => {
    const stolen = [`redis.call('SET', KEYS[2], 'of another')`, steps[1] ?? ''];
    await expect(migrateRedis(redis.client, keys, { now, steps: stolen })).rejects.toThrow('another process migrates');
    expect(await redis.client.exists(`${keys.meta}:steps`)).toBe(0);
    expect(await redis.client.get(keys.lock)).toBe('of another');
  });
});

describe('the settings of a cluster', () => {
  const CLUSTER_URL = 'redis://cache';
  it('need a sufficiently long secret', () => {
    expect(() => readEnv({ CLUSTER_URL })).toThrow('CLUSTER_SECRET is missing');
    expect(() => readEnv({ CLUSTER_URL, CLUSTER_SECRET: 'short' })).toThrow('shorter than 16 characters');
    expect(() => readEnv({ CLUSTER_URL, CLUSTER_SECRET: testClusterSecret, CLUSTER_NAME: 'a}b' })).toThrow(
      'CLUSTER_NAME',
    );
    expect(readEnv({ CLUSTER_URL, CLUSTER_SECRET: testClusterSecret }).cluster).toMatchObject({ name: 'srs-stack' });
    expect(readEnv({ CLUSTER_SECRET: 'short' }).cluster).toBeUndefined();
  });
});
