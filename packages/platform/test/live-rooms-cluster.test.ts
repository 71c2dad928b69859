// Two control planes with one store on Redis. A room that one of them creates is valid for both, until one of them removes it.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasRedis, startRedis, type TestRedis, testClusterSecret } from '../src/testing/redis-server.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

/** Maximum delay until a control plane knows a change by the other, by message or by poll, milliseconds. */
const syncedWithinMs = 10_000;

describe.skipIf(!hasRedis)('live rooms of two nodes', () => {
  let redis: TestRedis;
  let one: TestPlatform;
  let two: TestPlatform;
  beforeEach(async () => {
    redis = await startRedis();
    const variables = { CLUSTER_URL: redis.url, CLUSTER_SECRET: testClusterSecret, MGMT_PASSWORD: 'correct' };
    one = await openTestPlatform(variables);
    two = await openTestPlatform(variables);
    for (const node of [one, two]) node.start();
  });
  afterEach(async () => {
    await one?.dispose();
    await two?.dispose();
    await redis.dispose();
  });

  const publish = async (node: TestPlatform, stream: string, secret: string) => {
    const facts = { app: 'live', stream, client_id: stream, server_id: 's', ip: '203.0.113.7' };
    const body = { action: 'on_publish', ...facts, param: `?secret=${secret}` };
    const response = await node.call('verifyStream', body, { 'x-callback-secret': testCallbackSecret });
    return response.status === 200 ? 'publishes' : response.body.data.message;
  };
  const titles = async (node: TestPlatform) =>
    (await node.call('listRooms')).body.data.rooms.map(({ title }: { title: string }) => title);
  const hasRooms = (node: TestPlatform, expected: string[]) =>
    vi.waitFor(async () => expect(await titles(node)).toEqual(expected), syncedWithinMs);

  it('a room created at one admits at the other, and its removal there ends the publisher', async () => {
    const room = (await one.call('createRoom', { title: 'Shared' })).body.data;
    await hasRooms(two, ['Shared']);
    const { publish: general } = (await two.call('queryPublishSecret')).body.data;
    expect(await publish(two, room.stream, general)).toContain('this is the stream of a live room');
    two.mediaServer.clients = [{ id: room.stream }];
    expect(await publish(two, room.stream, room.secret)).toBe('publishes');
    await one.call('removeRoom', { uuid: room.uuid });
    await hasRooms(two, []);
    await vi.waitFor(() => {
      expect(two.mediaServer.requests).toContain(`DELETE /api/v1/clients/${room.stream}`);
    }, syncedWithinMs);
    expect(await publish(two, room.stream, room.secret)).toContain('missing or wrong');
  });

  it('rooms created simultaneously at both are all kept', async () => {
    const make = (node: TestPlatform, title: string) => node.call('createRoom', { title });
    const responses = await Promise.all([make(one, 'A'), make(two, 'B'), make(one, 'C'), make(two, 'D')]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const node of [one, two])
      await vi.waitFor(
        async () => expect((await titles(node)).toSorted()).toEqual(['A', 'B', 'C', 'D']),
        syncedWithinMs,
      );
  });

  it('rooms keep their rule while the store is unavailable', async () => {
    const room = (await one.call('createRoom', { title: 'Kept' })).body.data;
    const { publish: general } = (await one.call('queryPublishSecret')).body.data;
    await redis.kill();
    expect(await publish(one, room.stream, general)).toContain('this is the stream of a live room');
    expect(await publish(one, room.stream, room.secret)).toBe('publishes');
  });
});
