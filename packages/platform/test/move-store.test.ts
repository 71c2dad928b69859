// `npm run move-store` moves a complete store to Redis and back, and never overwrites another store unintentionally.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyStore, type StoreTarget } from '../src/store/move/store-copy.ts';
import { clusterCipher } from '../src/store/redis/open-redis-store.ts';
import { createRedisCopy } from '../src/store/redis/redis-copy.ts';
import { redisKeys } from '../src/store/redis/redis-keys.ts';
import { openFileToLeave } from '../src/store/sqlite/sqlite-move.ts';
import { openKeyFile } from '../src/store/value-cipher.ts';
import { hasRedis, startRedis, type TestRedis, testClusterSecret } from '../src/testing/redis-server.ts';
import { openTestPlatform, type TestPlatform } from '../src/testing/test-platform.ts';

const command = fileURLToPath(new URL('../src/move-store.ts', import.meta.url));

describe.skipIf(!hasRedis)('a store of the product', () => {
  let redis: TestRedis;
  let platform: TestPlatform;
  beforeEach(async () => {
    redis = await startRedis();
    platform = await openTestPlatform({ MGMT_PASSWORD: 'correct' });
    await fill(platform);
  });
  afterEach(async () => {
    await platform.dispose();
    await redis.dispose();
  });
  const clustered = () => ({ CLUSTER_URL: redis.url, CLUSTER_SECRET: testClusterSecret, MGMT_PASSWORD: 'correct' });
  const move = async (args: string[], secret = testClusterSecret) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: platform.dataDir, CLUSTER_SECRET: secret };
    const child = spawn(process.execPath, [command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, out, error };
  };
  const files = async () => (await readdir(platform.dataDir)).filter((name) => name.startsWith('store.sqlite')).sort();

  it('moves to Redis and back with all its content', async () => {
    const before = await everything(platform);
    await platform.close();
    const there = await move(['--to', redis.url]);
    expect(there).toMatchObject({ code: 0, error: '' });
    expect(there.out).toMatch(
      /^Copied from .*store\.sqlite to redis:\/\/127\.0\.0\.1:\d+: \d+ documents, \d+ rows, \d+ log entries\.$/m,
    );
    expect(there.out).toMatch(/SHA-256 [\da-f]{64}/);
    expect(await redis.client.keys('*:moving:*')).toEqual([]);

    platform = await platform.reopen(clustered());
    expect(await everything(platform)).toEqual(before);
    await platform.call('updateBeian', { beian: 'title', text: 'changed in Redis' });
    await platform.call('forwardSecret', { ...forward, platform: 'forwarding-b', label: 'b' });
    const changedThere = await everything(platform);
    await platform.close();

    const refused = await move(['--to', 'sqlite', '--from', redis.url]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain('store.sqlite: use --replace to replace it');
    const back = await move(['--to', 'sqlite', '--from', redis.url, '--replace']);
    expect(back).toMatchObject({ code: 0, error: '' });
    expect(await files()).toEqual(['store.sqlite', expect.stringMatching(/^store\.sqlite\.replaced-/)]);
    platform = await platform.reopen({ MGMT_PASSWORD: 'correct' });
    expect(await everything(platform)).toEqual(changedThere);
  });

  it('does not replace a store in Redis unless requested', async () => {
    await platform.close();
    platform = await platform.reopen(clustered());
    await platform.call('updateBeian', { beian: 'title', text: 'of Redis' });
    await platform.close();
    const refused = await move(['--to', redis.url]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain('There is already a store at redis://127.0.0.1');
    expect(await move(['--to', redis.url, '--replace'])).toMatchObject({ code: 0, error: '' });
    platform = await platform.reopen(clustered());
    expect((await platform.call('queryBeian')).body.data.title).toBe('of the file');
  });

  it('is not moved while a server has it open', async () => {
    const running = await move(['--to', redis.url]);
    expect(running).toMatchObject({ code: 1, out: '' });
    expect(running.error).toMatch(/in use by another process/);
    await platform.close();
    await writeFile(join(platform.dataDir, 'run/supervisor.pid'), '');
    platform = await platform.reopen(clustered());
    const shared = await move(['--to', 'sqlite', '--from', redis.url, '--replace']);
    expect(shared).toMatchObject({ code: 1, out: '' });
    expect(shared.error).toContain('is used by one running server: stop them first');
  });

  it('needs its secret, and valid arguments', async () => {
    await platform.close();
    expect((await move([])).error).toContain('Usage: npm run move-store');
    expect((await move(['--to', redis.url], '')).error).toContain('CLUSTER_SECRET is missing');
    expect((await move(['--to', 'sqlite'])).error).toContain('CLUSTER_URL is not set');
    expect((await move(['--to', 'sqlite', '--from', redis.url, '--replace'])).error).toContain(
      'There is no store of the cluster',
    );
    expect((await move(['--to', redis.url])).code).toBe(0);
    const wrong = await move(['--to', 'sqlite', '--from', redis.url, '--replace'], 'another secret of many letters');
    expect(wrong.error).toContain('CLUSTER_SECRET does not match');
    expect(await files()).toEqual(['store.sqlite', expect.stringMatching(/^store\.sqlite\.moving/)]);
  });

  it('continues an interrupted copy, and copies nothing twice', async () => {
    await platform.close();
    const key = await openKeyFile(join(platform.dataDir, 'config/store.key'));
    const source = await openFileToLeave(join(platform.dataDir, 'store.sqlite'), key, new Date());
    const target = createRedisCopy(redis.client, redisKeys('test', 'moving'), clusterCipher(testClusterSecret, 'test'));
    let writes = 0;
    const cut: StoreTarget = {
      ...target,
      write: (part, texts) => {
        writes += 1;
        if (writes === 4) throw new Error('killed');
        return target.write(part, texts);
      },
    };
    await expect(copyStore(source.copy, cut)).rejects.toThrow('killed');
    const parts = (await source.copy.parts()).length;
    expect(await copyStore(source.copy, target)).toMatchObject({ foundParts: 3, writtenParts: parts - 3 });
    // Secrets are encrypted in Redis too.
    const kept = JSON.stringify(await redis.client.hgetall(redisKeys('test', 'moving').documents));
    expect(kept).not.toContain(before.secret);
    await source.close();
  });

  let before: { secret: string };
  async function fill(filled: TestPlatform) {
    await filled.call('updateBeian', { beian: 'title', text: 'of the file' });
    await filled.call('updateUsageLimit', { totalHours: 12 });
    await filled.call('forwardSecret', { ...forward, platform: 'forwarding-a', label: 'a' });
    await filled.call('login', { password: 'wrong' }, {});
    await filled.call('login', { password: 'correct' }, {});
    before = { secret: filled.modules.streams.publishSecret.current().publish };
  }
});

const forward = {
  ...{ action: 'update', server: 'rtmp://203.0.113.9/live/', secret: 'a-stream-key', enabled: false, custom: true },
};

async function everything({ modules, call, dataDir }: TestPlatform) {
  return {
    nodeId: modules.nodeId,
    secret: modules.streams.publishSecret.current(),
    beian: (await call('queryBeian')).body.data,
    hours: (await call('queryUsageLimit')).body.data.totalHours,
    forwards: (await call('forwardSecret')).body.data,
    audit: (await modules.audit.newest(1_000))
      .filter(({ action }) => action !== 'setting-changed')
      .map(({ at, action }) => [at, action]),
    key: await readFile(join(dataDir, 'config/store.key'), 'utf8'),
  };
}
