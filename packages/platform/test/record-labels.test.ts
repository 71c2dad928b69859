// Title, notes and keep mark of recordings. Other writes to a recording preserve them, and clean-up skips marked recordings.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { thisServer } from '../src/actor.ts';
import { recordCollection } from '../src/recording/record-facts.ts';
import { openRecordFolder } from '../src/recording/record-folder.ts';
import type { RecordBucket } from '../src/recording/record-objects.ts';
import { rebuildRecords } from '../src/recording/record-rebuild.ts';
import { noBucket } from '../src/testing/no-bucket.ts';
import { noPeers } from '../src/testing/no-peers.ts';
import { RecordRig } from '../src/testing/record-rig.ts';

const gigabyte = 1024 ** 3;
const label = { title: 'Finals', notes: 'Court 2, second half', keep: true };
let rig: RecordRig;

beforeEach(async () => {
  rig = await RecordRig.open();
});
afterEach(() => rig.remove());

const only = () => rig.rows()[0]!;
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const isDone = (count = 1) =>
  until(() => expect(rig.rows().map(({ state }) => state)).toEqual(new Array(count).fill('done')));
const bucketThat = (remove: RecordBucket['remove']): RecordBucket => ({
  ...{ ...noBucket, remove, cancel: async () => undefined, delivers: async () => 'server' },
  link: () => Promise.reject(new Error('no bucket')),
});
const change = (uuid: string, some: Partial<typeof label>) => rig.records.label(uuid, some, thisServer);

async function recorded(stream: string): Promise<string> {
  await rig.segment(stream);
  const { uuid } = rig.rows().find((row) => row.stream === stream)!;
  await rig.records.end(uuid);
  await isDone(rig.rows().length);
  return uuid;
}

it('a recording has no title, notes or keep mark at first, and a change keeps the other fields', async () => {
  await rig.segment();
  expect(only()).toMatchObject({ title: '', notes: '', keep: false });
  await change(only().uuid, { title: 'Finals', notes: 'Court 2, second half' });
  await change(only().uuid, { keep: true });
  expect(only()).toMatchObject(label);
  await expect(change('00000000-0000-4000-8000-000000000000', { keep: true })).rejects.toThrow('no recording');
});

it('a label that is set while the recording runs survives its segments, its end, a restart, the bin and another restart', async () => {
  await rig.segment();
  await change(only().uuid, label);
  await rig.segment();
  expect(only()).toMatchObject({ ...label, nn: 2 });
  await rig.stop();
  await rig.start();
  await rig.segment();
  expect(only()).toMatchObject({ ...label, nn: 3 });
  await rig.records.end(only().uuid);
  await isDone();
  const { uuid } = only();
  await rig.records.bin.remove(uuid, false, thisServer);
  expect(rig.records.bin.list()).toMatchObject([label]);
  await rig.stop();
  await rig.start();
  await rig.records.bin.restore(uuid, thisServer);
  expect(only()).toMatchObject({ ...label, state: 'done' });
});

it('labels of a lost table are read from the folder, and vice versa', async () => {
  const uuid = await recorded('s');
  await change(uuid, label);
  await rig.store.collection(recordCollection).remove(uuid);
  await rig.stop();
  await rig.start();
  expect(only()).toMatchObject(label);
  const folder = await openRecordFolder(join(rig.dataDir, 'record'));
  const table = rig.store.collection(recordCollection);
  const rebuild = () => rebuildRecords(folder, table, { now: new Date(rig.clock.nowMs), nodeId: 'a' });
  await rm(folder.pathOf(uuid, 'label.json'));
  await rebuild();
  expect(JSON.parse(await readFile(folder.pathOf(uuid, 'label.json'), 'utf8'))).toEqual(label);
  await table.remove(uuid);
  await rebuild();
  expect(await table.get(uuid)).toMatchObject({ label });
});

it('with the keep mark, age and size limits neither remove nor count a recording', async () => {
  const kept = await recorded('kept');
  await recorded('old');
  await change(kept, { keep: true });
  await rig.records.retention.change({ keepDays: 1, maxBytes: 0 }, thisServer);
  rig.clock.nowMs += 2 * 86_400_000;
  const fresh = await recorded('fresh');
  await rig.records.retention.apply();
  expect(rig.rows().map(({ uuid }) => uuid)).toEqual([fresh, kept]);
  // The limit equals the size of the kept recording. If kept recordings counted, the new recording would be removed.
  const { size, mp4Size } = rig.rows().find(({ uuid }) => uuid === kept)!;
  await rig.records.retention.change({ keepDays: 0, maxBytes: size + mp4Size }, thisServer);
  await rig.records.retention.apply();
  expect(rig.rows().map(({ uuid }) => uuid)).toEqual([fresh, kept]);
  await rig.records.retention.change({ keepDays: 0, maxBytes: 1 }, thisServer);
  await rig.records.retention.apply();
  expect(rig.rows().map(({ uuid }) => uuid)).toEqual([kept]);
  await change(kept, { keep: false });
  await rig.records.retention.apply();
  expect(rig.rows()).toEqual([]);
});

it('a recording stays when its keep mark is set while older recordings are removed', async () => {
  const old = await recorded('old');
  rig.clock.nowMs += 1_000;
  const marked = await recorded('marked');
  await rig.stop();
  const remove = async (uuid: string) => {
    if (uuid === old) await change(marked, { keep: true });
  };
  await rig.start({ objects: bucketThat(remove) });
  await rig.records.retention.change({ keepDays: 1, maxBytes: 0 }, thisServer);
  rig.clock.nowMs += 2 * 86_400_000;
  await rig.records.retention.apply();
  expect(rig.rows().map(({ uuid }) => uuid)).toEqual([marked]);
  expect((await rig.records.retention.current()).removals).toMatchObject([{ uuid: old }]);
});

it('a recording that cannot be removed does not protect the others from the retention limits', async () => {
  const stuck = await recorded('stuck');
  rig.clock.nowMs += 1_000;
  await recorded('other');
  await rig.stop();
  const remove = async (uuid: string) => {
    if (uuid === stuck) throw new Error('EIO: i/o error, rmdir');
  };
  await rig.start({ objects: bucketThat(remove) });
  await rig.records.retention.change({ keepDays: 1, maxBytes: 0 }, thisServer);
  rig.clock.nowMs += 2 * 86_400_000;
  await rig.records.retention.apply();
  expect(rig.rows().map(({ uuid }) => uuid)).toEqual([stuck]);
});

it('with the keep mark, a recording in the bin stays there when the disk is full, for its 24 hours', async () => {
  const [kept, other] = [await recorded('kept'), await recorded('other')];
  await change(kept, { keep: true });
  for (const uuid of [kept, other]) await rig.records.bin.remove(uuid, false, thisServer);
  rig.disk.freeBytes = 0.01 * gigabyte;
  rig.clock.nowMs += 3_000;
  await rig.records.status({ search: '' });
  await until(() => expect(rig.records.bin.list().map(({ uuid }) => uuid)).toEqual([kept]));
  rig.clock.nowMs += 24 * 3_600_000;
  await rig.records.bin.purge();
  expect(rig.records.bin.list()).toEqual([]);
});

it('the label of a recording on another node is changed there, and another node can change a label here', async () => {
  const own = await recorded('s');
  const table = rig.store.collection(recordCollection);
  const other = '00000000-0000-4000-8000-000000000002';
  await table.put(other, { ...(await table.get(own))!, uuid: other, node: 'b', label });
  await rig.stop();
  const orders: object[] = [];
  await rig.start({
    nodes: {
      ...{ self: { id: 'a', name: 'a' }, isShared: true, isGone: () => false },
      list: () => [{ id: 'b', name: 'b', address: {} }],
    },
    peers: { ...noPeers, order: async (node, order) => void orders.push({ node, ...order }) },
  });
  expect(rig.rows().find(({ uuid }) => uuid === other)).toMatchObject(label);
  await change(other, { keep: false });
  expect(orders).toEqual([{ node: 'b', action: 'label', uuid: other, label: { keep: false }, ip: '' }]);
  await rig.records.own.obey({ action: 'label', uuid: own, label: { title: 'From afar' }, ip: '192.0.2.1' });
  expect(rig.rows().find(({ uuid }) => uuid === own)).toMatchObject({ title: 'From afar', keep: false });
});

it('a search covers label, stream and date; recordings are filtered by range and keep mark', async () => {
  const first = await recorded('camera-1');
  await change(first, label);
  rig.clock.nowMs += 86_400_000;
  const second = await recorded('camera-2');
  const find = (filter: object) =>
    rig.records.files({ search: '', offset: 0, limit: undefined, ...filter }).map(({ uuid }) => uuid);
  expect(find({ search: 'FINALS camera' })).toEqual([first]);
  expect(find({ search: 'second half 2026-01-02' })).toEqual([first]);
  expect(find({ search: 'finals camera-2' })).toEqual([]);
  expect(find({ kept: true })).toEqual([first]);
  expect(find({ from: '2026-01-03T00:00:00+01:00' })).toEqual([second]);
  expect(find({ to: '2026-01-03T00:00:00Z' })).toEqual([first]);
  expect(find({ from: '2026-01-02T03:04:05.500Z', to: '2026-01-02T03:05:00Z' })).toEqual([first]);
  expect((await rig.records.status({ search: '', kept: true })).matching.count).toBe(1);
});
