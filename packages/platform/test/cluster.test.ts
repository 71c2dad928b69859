// The calls of the Cluster page, for a single server and for two nodes that share a Redis. One node drains the other.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasRedis, startRedis, type TestRedis, testClusterSecret } from '../src/testing/redis-server.ts';
import { openTestPlatform, type TestPlatform } from '../src/testing/test-platform.ts';

const opened: TestPlatform[] = [];
let redis: TestRedis | undefined;
afterEach(async () => {
  for (const platform of opened.splice(0)) await platform.dispose();
  await redis?.dispose();
  redis = undefined;
});
async function open(variables: Record<string, string> = {}): Promise<TestPlatform> {
  const platform = await openTestPlatform(variables);
  opened.push(platform);
  return platform;
}
const member = (name: string) => ({
  ...{ CLUSTER_URL: redis!.url, CLUSTER_SECRET: testClusterSecret, NODE_NAME: name },
  CLUSTER_LISTEN: 'off',
});

describe('a single server', () => {
  it('is the only node, and returns no instructions to join', async () => {
    const { call } = await open();
    const { body } = await call('queryCluster');
    expect(body.data).toMatchObject({ isShared: false, store: '', troubles: [], nodes: [{ isSelf: true }] });
    expect(await call('queryClusterJoin')).toMatchObject({ status: 404, body: { data: { name: 'notFound' } } });
  });

  it('returns nothing without a credential', async () => {
    const { call } = await open();
    for (const name of ['queryCluster', 'queryClusterJoin', 'drainNode'] as const)
      expect((await call(name, { node: 'x', draining: true }, {})).status).toBe(401);
  });
});

describe.skipIf(!hasRedis)('two servers that share a store', () => {
  it('see each other, and one drains the other, which hands over its tasks', async () => {
    redis = await startRedis();
    const north = await open(member('north'));
    const south = await open(member('south'));
    north.start();
    south.start();
    const nodes = async () => (await north.call('queryCluster')).body.data.nodes;
    const stateOf = async (name: string) => (await nodes()).find((each: { name: string }) => each.name === name)?.state;
    await vi.waitUntil(async () => (await nodes()).length === 2, { timeout: 15_000, interval: 100 });
    const { troubles, store } = (await north.call('queryCluster')).body.data;
    expect(troubles.map(({ kind }: { kind: string }) => kind)).toEqual(['no-address', 'store-on-this-machine']);
    expect(store).toBe(redis.url);

    const platform = 'forwarding-own';
    const target = { action: 'update', platform, server: 'rtmp://127.0.0.1:1/live/', secret: 'x', label: 'x' };
    expect((await south.call('forwardSecret', { ...target, custom: true, enabled: true })).status).toBe(200);
    const rows = async (at: TestPlatform) => (await at.call('forwardStreams')).body.data[0];
    // Both nodes report the same row, although only one node runs the task.
    for (const at of [north, south])
      await vi.waitUntil(async () => (await rows(at)).reason === 'source-not-live', { timeout: 15_000, interval: 100 });

    const [, other] = await nodes();
    expect((await north.call('drainNode', { node: other.id, draining: true })).status).toBe(200);
    await vi.waitUntil(async () => (await stateOf('south')) === 'draining', { timeout: 15_000, interval: 100 });
    await vi.waitUntil(async () => (await nodes())[0].tasks.forward === 1, { timeout: 15_000, interval: 100 });
    expect(south.modules.streams.drain.since()).not.toBe('');
    expect(await north.call('drainNode', { node: 'nobody', draining: true })).toMatchObject({ status: 404 });

    expect((await south.call('forwardSecret', { ...target, custom: true, enabled: false })).status).toBe(200);
    await vi.waitUntil(async () => (await nodes())[0].tasks.forward === 0, { timeout: 15_000, interval: 100 });
  });

  it('apply HLS settings that were saved at the other one', async () => {
    redis = await startRedis();
    const north = await open(member('north'));
    const south = await open(member('south'));
    for (const each of [north, south]) await each.modules.hls.apply();
    const config = () => readFile(join(south.dataDir, 'config', 'srs.vhost.conf'), 'utf8');
    const reloads = () => south.mediaServer.requests.filter((each) => each === 'GET /api/v1/raw?rpc=reload').length;
    const before = reloads();
    expect((await north.call('updateLowLatencyHls', { hlsLowLatency: true })).status).toBe(200);
    await vi.waitFor(async () => expect(await config()).toContain('hls_fragment 1;'));
    await vi.waitFor(() => expect(reloads()).toBe(before + 1));
  });

  it('return what another one needs to join, and record who requested it', async () => {
    redis = await startRedis();
    const { call } = await open(member('north'));
    expect((await call('queryClusterJoin')).body.data).toEqual({
      ...{ url: redis.url, secret: testClusterSecret, name: 'srs-stack' },
    });
    const { entries } = (await call('queryAudit', {})).body.data;
    expect(JSON.stringify(entries)).toContain('store address and cluster secret were shown');
    expect(JSON.stringify(entries)).not.toContain(testClusterSecret);
  });
});
