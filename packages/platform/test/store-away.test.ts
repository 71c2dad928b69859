// Failures of a store on Redis: killed, emptied, full, slow, read-only, or disconnected during a command. Writes report the failure, data
// in memory stays available, and publishers are admitted. Everything works again without a restart.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasRedis, startRedis, type TestRedis, testClusterSecret } from '../src/testing/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../src/testing/tcp-proxy.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

const recoverMs = 30_000;

describe.skipIf(!hasRedis)('a store on Redis', () => {
  let redis: TestRedis;
  let proxy: TcpProxy;
  let platform: TestPlatform;
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await startTcpProxy(redis.port);
    platform = await openTestPlatform(variables());
    platform.start();
  });
  afterEach(async () => {
    await platform.dispose();
    await proxy.close();
    await redis.dispose();
  });
  const variables = () => ({
    CLUSTER_URL: `redis://127.0.0.1:${proxy.port}`,
    CLUSTER_SECRET: testClusterSecret,
    MGMT_PASSWORD: 'correct',
  });

  /** `save` needs the store. `publish` needs only the secret in memory. */
  const save = (hours: number) => platform.call('updateUsageLimit', { totalHours: hours });
  const publish = async (stream: string, secret = platform.modules.streams.publishSecret.current().publish) => {
    const event = { action: 'on_publish', app: 'live', stream, client_id: `of-${stream}`, param: `?secret=${secret}` };
    const headers = { 'x-callback-secret': testCallbackSecret };
    return (await platform.callPath(endpoints.verifyStream.path, event, headers)).body;
  };
  const expectRefused = async (reason: string) => {
    await vi.waitFor(async () => {
      expect(await save(7)).toMatchObject({
        status: 503,
        body: { code: 1007, data: { name: 'storeNotReady', reason: { key: reason, values: { store: 'Redis' } } } },
      });
    }, recoverMs);
    expect(await platform.call('queryPublishSecret')).toMatchObject({ status: 200 });
    expect(await publish('allowed')).toMatchObject({ code: 0 });
    expect(await publish('refused', 'wrong')).not.toMatchObject({ code: 0 });
    const login = await platform.call('login', { password: 'correct' }, {});
    expect(login).toMatchObject({ status: 200 });
  };
  const expectAlarm = (code: string | undefined) =>
    vi.waitFor(async () => {
      const { alarms } = (await platform.call('queryMonitor')).body.data.snapshot;
      const codes = alarms.map((alarm: { code: string }) => alarm.code);
      expect(codes.filter((each: string) => each.startsWith('store-'))).toEqual(code ? [code] : []);
    }, recoverMs);
  const expectWorking = async (hours: number) => {
    await vi.waitFor(async () => expect(await save(hours)).toMatchObject({ status: 200 }), recoverMs);
    expect(await platform.call('queryUsageLimit')).toMatchObject({ body: { data: { totalHours: hours } } });
    await vi.waitFor(async () => {
      await publish('again');
      expect((await platform.modules.streams.active.list()).map(({ stream }) => stream)).toContain('again');
    }, recoverMs);
  };

  it('that is killed returns with every acknowledged write', async () => {
    expect(await save(3)).toMatchObject({ status: 200 });
    await redis.kill();
    await expectRefused('store.away');
    const dashboard = async () => (await platform.call('queryMonitor')).body.data;
    await vi.waitFor(async () => {
      expect((await dashboard()).snapshot.alarms).toContainEqual(
        expect.objectContaining({ code: 'store-away', subject: 'Redis' }),
      );
    }, recoverMs);
    await redis.restart();
    await vi.waitFor(async () => {
      const { snapshot, events } = await dashboard();
      expect(snapshot.alarms).not.toContainEqual(expect.objectContaining({ code: 'store-away' }));
      expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(
        expect.arrayContaining(['store-away', 'store-back']),
      );
    }, recoverMs);
    await vi.waitFor(async () => {
      expect(await platform.call('queryUsageLimit')).toMatchObject({ status: 200, body: { data: { totalHours: 3 } } });
    }, recoverMs);
    await expectWorking(4);
  });

  it('that returns empty is not written until its data is back', async () => {
    await save(3);
    const dump = await copyOf(redis);
    await redis.restart({ empty: true });
    await expectRefused('store.gone');
    expect(await redis.client.dbsize()).toBe(0);
    expect(await platform.call('queryBeian')).toMatchObject({ status: 503 });
    await dump.restore();
    await expectWorking(4);
  });

  it('serves a second control plane, and the second of two conflicting changes is refused', async () => {
    const second = await openTestPlatform(variables());
    try {
      const forward = {
        action: 'update',
        server: 'rtmp://203.0.113.9/live/',
        enabled: false,
        custom: true,
        label: 'a',
      };
      const saveAt = ({ call }: TestPlatform, secret: string) =>
        call('forwardSecret', { ...forward, platform: 'forwarding-a', secret });
      const responses = await Promise.all([saveAt(platform, 'one'), saveAt(second, 'two')]);
      const late = responses.filter(({ status }) => status !== 200);
      for (const each of late) expect(each).toMatchObject({ status: 409, body: { data: { name: 'settingsChanged' } } });
      expect(late.length).toBeLessThan(2);
      const targets = await Promise.all(
        [platform, second].map(async ({ call }) => (await call('forwardSecret')).body.data),
      );
      expect(targets[0]).toEqual(targets[1]);
      const replaced = 'a-new-secret-of-the-second';
      expect(await second.call('updatePublishSecret', { secret: replaced })).toMatchObject({ status: 200 });
      await vi.waitFor(async () => expect(await publish('followed', replaced)).toMatchObject({ code: 0 }), recoverMs);
      expect(await publish('refused', 'wrong')).not.toMatchObject({ code: 0 });
    } finally {
      await second.dispose();
    }
  });

  it('that is full is reported although nothing is saved', async () => {
    await redis.client.config('SET', 'maxmemory', '1');
    await expectAlarm('store-full');
    await redis.client.config('SET', 'maxmemory', '0');
    await expectAlarm(undefined);
  });

  it('that is full is reported, and accepts writes again when there is space', async () => {
    await redis.client.config('SET', 'maxmemory', '1');
    await expectRefused('store.full');
    await expectAlarm('store-full');
    await redis.client.config('SET', 'maxmemory', '0');
    await expectWorking(4);
    await expectAlarm(undefined);
  });

  it('that cannot write to its disk is reported', async () => {
    const folder = String(((await redis.client.config('GET', 'dir')) as string[])[1]);
    // A folder with the name of the snapshot file makes the snapshot fail.
    await mkdir(join(folder, 'dump.rdb'));
    await redis.client.config('SET', 'save', '900 1');
    await redis.client.bgsave();
    await expectRefused('store.disk');
    await rm(join(folder, 'dump.rdb'), { recursive: true });
    await redis.client.bgsave();
    await expectWorking(4);
  });

  it('that became a replica is reported as read-only', async () => {
    const other = await startRedis();
    try {
      await redis.client.call('REPLICAOF', '127.0.0.1', other.port);
      await vi.waitFor(
        async () => expect((await save(7)).body.data.reason.key).toMatch(/^store\.(?:read-only|away|gone)$/),
        recoverMs,
      );
    } finally {
      await other.dispose();
    }
  });

  it('that is read-only for lack of replicas is reported', async () => {
    await redis.client.config('SET', 'min-replicas-to-write', '1');
    await expectAlarm('store-read-only');
    await expectRefused('store.read-only');
    await redis.client.config('SET', 'min-replicas-to-write', '0');
    await expectWorking(4);
  });

  it('whose password was changed is reported, and accepts writes again with the old one', async () => {
    await redis.client.config('SET', 'requirepass', 'another');
    await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expectRefused('store.denied');
    await expectAlarm('store-denied');
    await redis.client.config('SET', 'requirepass', '');
    await expectWorking(4);
    await expectAlarm(undefined);
  });

  it('that is slow only delays, and is reported', async () => {
    proxy.delayMs = 200;
    await expectAlarm('store-slow');
    expect(await save(5)).toMatchObject({ status: 200 });
    expect(await publish('slow')).toMatchObject({ code: 0 });
    expect(await platform.call('queryUsageLimit')).toMatchObject({ status: 200, body: { data: { totalHours: 5 } } });
    proxy.delayMs = 0;
    await expectAlarm(undefined);
  });

  it('that hangs times out after seconds, and is found again', async () => {
    const sleeping = redis.client.call('DEBUG', 'SLEEP', '9').catch(() => undefined);
    await vi.waitFor(async () => {
      expect(await save(5)).toMatchObject({
        status: 503,
        body: { data: { reason: { key: expect.stringMatching(/^store\.(?:slow|away)$/) } } },
      });
    }, recoverMs);
    expect(await publish('meanwhile')).toMatchObject({ code: 0 });
    await sleeping;
    await expectWorking(6);
  });

  it('whose response is lost leaves a defined state: the shown value is the stored one', async () => {
    expect(await save(3)).toMatchObject({ status: 200 });
    // Counts only entries of this setting, because creating the first certificate also writes an entry.
    const entries = async () =>
      (await redis.client.lrange('srs-stack:{srs-stack}:store:log:audit', 0, -1)).filter((entry) =>
        entry.includes('streaming hours'),
      );
    const before = await entries();
    expect(before).toHaveLength(1);
    proxy.cutResponseTo = 'usage-limit';
    expect(await save(9)).toMatchObject({ status: 503, body: { data: { reason: { key: 'store.away' } } } });
    expect(proxy.cuts).toBe(1);
    await vi.waitFor(async () => {
      expect(await platform.call('queryUsageLimit')).toMatchObject({ body: { data: { totalHours: 9 } } });
    }, recoverMs);
    expect(await entries()).toEqual(before);
    await expectWorking(4);
  });
});

async function copyOf({ client }: TestRedis) {
  const keys = await client.keys('*');
  const values = await Promise.all(keys.map((key) => client.dumpBuffer(key)));
  return {
    async restore() {
      for (const [i, key] of keys.entries()) await client.restore(key, 0, values[i] ?? '');
    },
  };
}
