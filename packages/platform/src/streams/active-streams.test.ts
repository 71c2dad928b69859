// Table of live streams of several nodes. A report changes only rows of its node, and rows of nodes that have left.
import { DatabaseSync } from 'node:sqlite';
import type { StreamEvent } from '@srs-stack/contract';
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { thisServer } from '../actor.ts';
import { createAuditTrail } from '../store/audit-trail.ts';
import { migrate } from '../store/sqlite/migrations.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { createValueCipher } from '../store/value-cipher.ts';
import { type ActiveStreams, createActiveStreams } from './active-streams.ts';

let store: Store;
let gone: string[];
let nowMs: number;
let disconnected: string[];
let [a, b]: ActiveStreams[] = [];
const now = () => new Date(nowMs);
const key = { vhost: '__defaultVhost__', app: 'live', stream: 'x' };

function nodeNamed(id: string): ActiveStreams {
  const audit = createAuditTrail({ store, log: pino({ level: 'silent' }), now });
  const nodes = { self: { id, name: id }, isGone: (other: string) => other === '' || gone.includes(other) };
  const mediaServer = { disconnect: async (client: string) => void disconnected.push(client) };
  return createActiveStreams({ store, audit, now, mediaServer, nodes });
}

const event = (client: string, stream = 'x') =>
  ({
    ...key,
    stream,
    action: 'on_publish',
    client_id: client,
    param: '',
    server_id: '',
    ip: '',
  }) as unknown as StreamEvent;
const report = (client: string, stream = 'x') => ({ ...key, stream, publisherClientId: client });
const rows = async () => (await a!.list()).map(({ stream, client_id }) => `${stream} ${client_id}`).sort();
const later = () => {
  nowMs += 60_000;
};

beforeEach(() => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
  [gone, disconnected] = [[], []];
  nowMs = Date.parse('2026-01-02T03:04:05Z');
  [a, b] = [nodeNamed('a'), nodeNamed('b')];
});

it('keeps streams of another node that this node’s media server does not list', async () => {
  await a!.onPublish(event('1'));
  await b!.onPublish(event('2', 'y'));
  later();
  await a!.reconcile([report('1')], now());
  await b!.reconcile([report('2', 'y')], now());
  expect(await rows()).toEqual(['x 1', 'y 2']);
  expect(Object.keys((await a!.list())[0]!)).not.toContain('node');
  await a!.reconcile([], now());
  expect(await rows()).toEqual(['y 2']);
});

it('drops the streams of a node that is gone, and restores them if it returns', async () => {
  await a!.onPublish(event('1'));
  later();
  await b!.reconcile([], now());
  expect(await rows()).toEqual(['x 1']);
  gone = ['a'];
  expect(await b!.reconcile([], now())).toBe(true);
  expect(await rows()).toEqual([]);
  gone = [];
  await a!.reconcile([report('1')], now());
  expect(await rows()).toEqual(['x 1']);
});

it('keeps the remaining one of two publishers that started while the nodes were disconnected', async () => {
  await a!.onPublish(event('1'));
  await b!.onPublish(event('2'));
  later();
  // Both media servers publish the stream. Neither node may overwrite the row of the other node.
  await a!.reconcile([report('1')], now());
  await b!.reconcile([report('2')], now());
  expect(await rows()).toEqual(['x 2']);
  await b!.onUnpublish(event('2'));
  expect(await rows()).toEqual(['x 1']);
  later();
  expect(await a!.reconcile([report('1')], now())).toBe(false);
  await a!.onUnpublish(event('1'));
  expect(await rows()).toEqual([]);
});

it('follows a publisher that moves to another node, in any order of the reports', async () => {
  await a!.onPublish(event('1'));
  await b!.onPublish(event('2'));
  await a!.onUnpublish(event('1'));
  expect(await rows()).toEqual(['x 2']);
  await b!.onUnpublish(event('2'));
  expect(await rows()).toEqual([]);
});

it('loses no simultaneous change of two nodes', async () => {
  const all = Array.from({ length: 20 }, (_, index) => `s${index}`);
  await Promise.all(all.flatMap((stream) => [a!.onPublish(event('1', stream)), b!.onPublish(event('2', stream))]));
  await Promise.all(all.flatMap((stream) => [a!.onUnpublish(event('1', stream)), b!.onUnpublish(event('2', stream))]));
  expect(await rows()).toEqual([]);
});

it('accepts rows of earlier releases, which have no node', async () => {
  await a!.onPublish(event('1'));
  const { z } = await import('zod');
  const plain = store.collection({ name: 'active-streams', schema: z.record(z.string(), z.unknown()), secret: true });
  for (const [id, { node: _, ...row }] of await plain.entries()) await plain.put(id, row);
  later();
  await b!.reconcile([], now());
  expect(await rows()).toEqual([]);
});

const encoders = async () => (await a!.listEncoders()).map(({ client_id, param = '' }) => `${client_id} ${param}`);
const spare = (client: string, param = '?secret=sk&priority=2') => ({ ...event(client), param, priority: 2 });

it('remembers spare encoders with the stream, beside its publisher and through the next one', async () => {
  await a!.onSpare(spare('0'));
  await a!.onPublish(event('1'));
  await a!.onSpare(spare('2'));
  await a!.onSpare(spare('3', '?priority=3'));
  expect(await rows()).toEqual(['x 1']);
  expect(Object.keys((await a!.list())[0]!)).not.toContain('spares');
  expect(await encoders()).toEqual(['1 ', '2 ?secret=sk&priority=2', '3 ?priority=3']);
  await a!.onPublish(event('4'));
  later();
  await a!.reconcile([report('4')], now());
  expect(await encoders()).toEqual(['4 ', '2 ?secret=sk&priority=2', '3 ?priority=3']);
  await a!.onUnpublish(event('4'));
  await a!.onUnpublish(event('1'));
  expect(await encoders()).toEqual([]);
});

it('remembers the spare encoder with which the stream began when the main encoder takes over', async () => {
  await a!.onPublish({ ...event('first'), param: '?secret=sk&priority=2' });
  await a!.onPublish(event('main'));
  await a!.onUnpublish(event('first'));
  expect(await encoders()).toEqual(['main ', 'first ?secret=sk&priority=2']);
  await a!.onPublish(event('next'));
  await a!.onUnpublish(event('main'));
  expect(await encoders()).toEqual(['next ', 'first ?secret=sk&priority=2']);
});

it('disconnects a spare encoder alone, and the stream otherwise', async () => {
  await a!.onPublish(event('main'));
  await a!.onSpare(spare('2'));
  await a!.kick({ ...key, client_id: '2' }, thisServer);
  expect([disconnected, await rows()]).toEqual([['2'], ['x main']]);
  await a!.kick({ ...key, client_id: 'main' }, thisServer);
  expect([disconnected, await rows()]).toEqual([['2', 'main'], []]);
});
