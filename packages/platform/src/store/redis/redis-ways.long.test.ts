// Connections to Redis over TLS, over Sentinels, and over one node of a Redis Cluster. Without CLUSTER_URL, the client library must not be
// loaded.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { issueCertificate } from '../../testing/certificates.ts';
import { startRedisCluster } from '../../testing/redis-cluster.ts';
import { freePort, hasRedis, startRedis, testClusterSecret } from '../../testing/redis-server.ts';
import type { DocumentType } from '../store.ts';
import { parseClusterAddress } from './cluster-address.ts';
import { openRedisStore } from './open-redis-store.ts';

const log = pino({ level: 'silent' });
const type: DocumentType<number> = { key: 'n', schema: z.number(), empty: 0 };
const openOnce = fileURLToPath(new URL('../../testing/open-store-once.ts', import.meta.url));
const recoverMs = 30_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'srs-ways-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = async (url: string) => {
  const settings = { address: parseClusterAddress(url), name: 'test', secret: testClusterSecret };
  const options = { now: new Date(), log, knownId: undefined, knownIdFile: '', waitMs: 10_000 };
  return (await openRedisStore(settings, options)).store;
};
const runOnce = async (variables: Record<string, string>) => {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: join(folder, 'data'),
    CLUSTER_SECRET: testClusterSecret,
    ...variables,
  };
  return JSON.parse((await promisify(execFile)(process.execPath, [openOnce], { env })).stdout);
};

it('loads nothing of the client without CLUSTER_URL', async () => {
  expect(await runOnce({})).toEqual({ starts: 1, store: 'SQLite', hasClient: false });
});

describe.skipIf(!hasRedis)('connecting to Redis', () => {
  it('uses TLS, to a server with a valid certificate', async () => {
    const issue = (name: string, extensions: string[]) => issueCertificate(new Date(), { name, extensions });
    const { key, crt } = issue('cache', ['subjectAltName=IP:127.0.0.1', 'basicConstraints=critical,CA:TRUE']);
    const at = (name: string) => join(folder, name);
    await writeFile(at('key'), key);
    await writeFile(at('crt'), crt);
    const tlsPort = await freePort();
    const tls = ['--tls-port', `${tlsPort}`, '--tls-cert-file', at('crt'), '--tls-key-file', at('key')];
    const redis = await startRedis([...tls, '--tls-ca-cert-file', at('crt'), '--tls-auth-clients', 'no']);
    try {
      const CLUSTER_URL = `rediss://127.0.0.1:${tlsPort}`;
      const NODE_EXTRA_CA_CERTS = at('crt');
      expect(await runOnce({ CLUSTER_URL, NODE_EXTRA_CA_CERTS })).toMatchObject({ starts: 1, store: 'Redis' });
      expect(await runOnce({ CLUSTER_URL, NODE_EXTRA_CA_CERTS })).toMatchObject({ starts: 2, hasClient: true });
      await expect(runOnce({ CLUSTER_URL })).rejects.toThrow(/does not respond \(.*self-signed certificate/);
    } finally {
      await redis.dispose();
    }
  });

  it('continues through the Sentinels with the new primary', async () => {
    const primary = await startRedis();
    const replica = await startRedis(['--replicaof', '127.0.0.1', String(primary.port)]);
    const port = await freePort();
    const lines = [
      `port ${port}`,
      `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 5000',
      `dir ${folder}`,
    ];
    await writeFile(join(folder, 'sentinel.conf'), lines.join('\n'));
    const sentinel = spawn('redis-server', [join(folder, 'sentinel.conf'), '--sentinel'], { stdio: 'ignore' });
    const store = await open(`redis://127.0.0.1:${port}?sentinel=main`);
    try {
      await store.set(type, 1);
      // The Sentinel must know the replica, and the replica must have all writes.
      await vi.waitFor(async () => expect(await replica.client.dbsize()).toBeGreaterThan(0), recoverMs);
      await vi.waitFor(
        async () => expect(await primary.client.info('replication')).toContain('state=online'),
        recoverMs,
      );
      await primary.kill();
      await vi.waitFor(async () => void (await store.set(type, 2)), 60_000);
      expect(await store.get(type)).toBe(2);
      expect(await replica.client.info('replication')).toContain('role:master');
    } finally {
      await store.close();
      sentinel.kill('SIGKILL');
      await once(sentinel, 'exit');
      await Promise.all([primary.dispose(), replica.dispose()]);
    }
  });

  it('finds all nodes of a Redis Cluster from one', async () => {
    const cluster = await startRedisCluster();
    try {
      const store = await open(`redis://127.0.0.1:${cluster.nodes[0].port}`);
      await store.set(type, 7);
      await store.close();
      const other = await open(`redis://127.0.0.1:${cluster.nodes[1].port}`);
      expect(await other.get(type)).toBe(7);
      await other.close();
    } finally {
      await cluster.dispose();
    }
  });

  it('loses no acknowledged write when Redis is killed at any time', async () => {
    const redis = await startRedis();
    const store = await open(redis.url);
    try {
      let responded = 0;
      let isDone = false;
      const writing = (async () => {
        for (let n = 1; !isDone; n++) {
          await store.set(type, n).then(
            () => {
              responded = n;
            },
            () => new Promise((resolve) => setTimeout(resolve, 5)),
          );
        }
      })();
      for (let round = 0; round < 8; round++) {
        const before = responded;
        await vi.waitFor(() => expect(responded).toBeGreaterThan(before + round * 7), recoverMs);
        await redis.kill();
        const last = responded;
        await redis.restart();
        const kept = await redis.client.hget('srs-stack:{test}:store:documents', 'n');
        expect(Number(kept)).toBeGreaterThanOrEqual(last);
      }
      isDone = true;
      await writing;
    } finally {
      await store.close();
      await redis.dispose();
    }
  });
});
