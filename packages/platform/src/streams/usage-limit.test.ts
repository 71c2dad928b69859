// Several nodes of a cluster count streaming hours in one store at the same time.
import { DatabaseSync } from 'node:sqlite';
import type { ActiveStream } from '@srs-stack/contract';
import { expect, it } from 'vitest';
import { migrate } from '../store/sqlite/migrations.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../store/value-cipher.ts';
import { openUsageLimit } from './usage-limit.ts';

const minute = 60_000;

it('adds the counts of several nodes, each second once', async () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
  let nowMs = Date.parse('2026-03-02T10:00:00Z');
  let live: { vhost: string; app: string; stream: string; client: string; sinceMs: number }[] = [];
  const toActive = ({ client, sinceMs, ...stream }: (typeof live)[number]): ActiveStream => ({
    ...{ ...stream, client_id: client, update: new Date(sinceMs).toISOString() },
  });
  const open = () =>
    openUsageLimit({
      store,
      audit: { record: async () => undefined } as never,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      now: () => new Date(nowMs),
      activeStreams: { list: async () => live.map(toActive) },
      mediaServer: {
        listStreams: async () =>
          live.map(({ client, ...each }) => ({ ...each, isPublished: true, publisherClientId: client })),
      },
    });
  const [north, south] = await Promise.all([open(), open()]);
  const publish = (stream: string) => {
    live = [{ vhost: '__defaultVhost__', app: 'live', stream, client: `of ${stream}`, sinceMs: nowMs }];
  };
  const unpublish = async (node: typeof north) => {
    await node.onUnpublish({ ...live[0], client_id: live[0]?.client } as never);
    live = [];
  };
  publish('lobby');
  for (let round = 0; round < 2; round++) {
    nowMs += minute;
    await Promise.all([north.count(), south.count()]);
  }
  await unpublish(north);
  await Promise.all([north.count(), south.count()]);
  publish('stage');
  nowMs += 3 * minute;
  await unpublish(south);
  for (const node of [north, south]) expect((await node.query()).consumedSeconds).toBe(5 * 60);
  publish('hall');
  nowMs += minute;
  await unpublish(north);
  for (const node of [north, south]) expect((await node.query()).consumedSeconds).toBe(6 * 60);
});
