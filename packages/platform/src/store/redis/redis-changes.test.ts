// Two control planes on one store. Each control plane must receive every change by the other, even after an interruption. A change must not
// be overwritten.
import { changed } from '@srs-stack/contract';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { thisServer } from '../../actor.ts';
import { hasRedis, startRedis, type TestRedis } from '../../testing/redis-server.ts';
import { createAuditTrail } from '../audit-trail.ts';
import { holdDocument } from '../held-document.ts';
import { openSetting } from '../setting.ts';
import type { DocumentType, Store, StoreChange } from '../store.ts';
import { openRedisStore } from './open-redis-store.ts';

const log = pino({ level: 'silent' });
const now = () => new Date('2026-01-02T03:04:05Z');
const type: DocumentType<{ n: number }> = {
  key: 'setting',
  schema: z.object({ n: z.number() }),
  empty: { n: 0 },
  secret: true,
};
const rows = { name: 'rows', schema: z.string() };
const detail = changed('access.password');
const save = { actor: thisServer, detail };

describe.skipIf(!hasRedis)('two control planes on one store', () => {
  let redis: TestRedis;
  let [here, there]: Store[] = [];
  let heardHere: StoreChange[];
  const settingOf = (store: Store, apply?: (value: { n: number }) => Promise<void>) =>
    openSetting({ store, audit: createAuditTrail({ store, log, now }), type, ...(apply && { apply }) });
  const openAnother = async () =>
    (await openRedisStore(redis.cluster(), { now: now(), log, knownId: undefined, knownIdFile: '' })).store;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.dispose());
  beforeEach(async () => {
    await redis.client.flushall();
    [here, there] = [await openAnother(), await openAnother()];
    heardHere = [];
    here.subscribe((change) => {
      heardHere.push(change);
    });
  });
  afterEach(() => Promise.all([here?.close(), there?.close()]));

  it('receive documents and rows of the other with their revision, but not their own', async () => {
    await here!.set(type, { n: 1 });
    await here!.collection(rows).put('a', 'own');
    const revision = await there!.set(type, { n: 2 });
    const row = await there!.collection(rows).put('a', 'foreign');
    await there!.collection(rows).remove('a');
    await vi.waitFor(() => expect(heardHere).toHaveLength(3), 10_000);
    expect(heardHere).toEqual([
      { kind: 'document', key: 'setting', revision },
      { kind: 'row', collection: 'rows', id: 'a', revision: row },
      { kind: 'row', collection: 'rows', id: 'a', revision: 'absent' },
    ]);
  });

  it('apply what the other has saved', async () => {
    const applied: number[] = [];
    const mine = await settingOf(here!, async ({ n }) => void applied.push(n));
    const theirs = await settingOf(there!);
    await theirs.save(() => ({ n: 5 }), save);
    await vi.waitFor(() => expect(applied).toEqual([5]), 10_000);
    expect(mine.current()).toEqual({ n: 5 });
    expect(mine.revision()).toBe(theirs.revision());
    await mine.save(({ n }) => ({ n: n + 1 }), save);
    expect(await there!.get(type)).toEqual({ n: 6 });
  });

  it('log a change of the other that cannot be applied here, and return its value anyway', async () => {
    const logged: string[] = [];
    const error = (_fields: object, text?: string) => {
      logged.push(String(text));
    };
    const options = { now: now(), log: { ...log, error } as typeof log, knownId: undefined, knownIdFile: '' };
    const { store } = await openRedisStore(redis.cluster(), options);
    const mine = await settingOf(store, async () => {
      throw new Error('the file cannot be written');
    });
    await (await settingOf(there!)).save(() => ({ n: 8 }), save);
    await vi.waitFor(
      () => expect(logged).toContain('a change by another control plane could not be applied on this node'),
      10_000,
    );
    expect(mine.current()).toEqual({ n: 8 });
    await store.close();
  });

  it('refuse the second of two simultaneous updates, and return the first', async () => {
    const settings = await Promise.all([settingOf(here!), settingOf(there!)]);
    const saves = settings.map((setting, i) => setting.save(({ n }) => ({ n: n + 10 * (i + 1) }), save));
    const outcomes = await Promise.allSettled(saves);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ reason: { errorName: 'settingsChanged' } });
    const { n } = await here!.get(type);
    await vi.waitFor(() => expect(settings.map((each) => each.current().n)).toEqual([n, n]), 10_000);
  });

  it('lose none of a hundred increments when both retry', async () => {
    const settings = await Promise.all([settingOf(here!), settingOf(there!)]);
    const countUp = async (setting: (typeof settings)[number]) => {
      for (let done = 0; done < 50; ) {
        done += await setting
          .save(({ n }) => ({ n: n + 1 }), save)
          .then(
            () => 1,
            () => 0,
          );
      }
    };
    await Promise.all(settings.map(countUp));
    expect(await here!.get(type)).toEqual({ n: 100 });
  });

  it('agree on the first value of a secret that both generate', async () => {
    const held = await Promise.all([holdDocument(here!, type), holdDocument(there!, type)]);
    await Promise.all(held.map((each, i) => each.saveFirst({ n: i + 1 })));
    const { n } = await here!.get(type);
    expect(held.map((each) => each.current().n)).toEqual([n, n]);
  });

  it('detect changes made while their subscription was interrupted', async () => {
    const mine = await settingOf(here!);
    await redis.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await there!.set(type, { n: 7 });
    await vi.waitFor(() => expect(mine.current()).toEqual({ n: 7 }), 20_000);
  });

  it('reconnect when the library has given up, and receive later changes', async () => {
    const made: Redis[] = [];
    const { connect } = Redis.prototype;
    const spy = vi.spyOn(Redis.prototype, 'connect').mockImplementation(function (this: Redis) {
      made.push(this);
      return connect.call(this);
    });
    onTestFinished(() => spy.mockRestore());
    const third = await openAnother();
    onTestFinished(() => third.close());
    const mine = await settingOf(third);
    // The library closes a connection permanently if a failover is announced during the connection attempt.
    for (const connection of made.splice(0)) connection.disconnect();
    await vi.waitFor(() => expect(made).toHaveLength(2), 20_000);
    await vi.waitFor(() => mine.save(() => ({ n: 1 }), save), 20_000);
    await there!.set(type, { n: 7 });
    await vi.waitFor(() => expect(mine.current()).toEqual({ n: 7 }), 20_000);
  });

  it('detect changes undone by a failover', async () => {
    const mine = await settingOf(here!);
    await mine.save(() => ({ n: 1 }), save);
    const copy = await redis.client.hgetall('srs-stack:{test}:store:documents');
    const changes = await redis.client.hget('srs-stack:{test}:store:meta', 'changes');
    await mine.save(() => ({ n: 2 }), save);
    // The new primary lacks the second change.
    await redis.client.hset('srs-stack:{test}:store:documents', copy);
    await redis.client.hset('srs-stack:{test}:store:meta', 'changes', changes ?? 0);
    await vi.waitFor(() => expect(mine.current()).toEqual({ n: 1 }), 20_000);
  });

  it('are counted while they have the store open', async () => {
    const open = 'srs-stack:{test}:store:open';
    expect(await redis.client.hlen(open)).toBe(2);
    await here!.close();
    expect(await redis.client.hlen(open)).toBe(1);
  });
});
