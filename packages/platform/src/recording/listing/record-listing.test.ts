// Merged lists of several nodes: order, pages, and no work while nothing has changed.
import { expect, test } from 'vitest';
import type { Collection } from '../../store/store.ts';
import { RecordCatalogue } from '../record-catalogue.ts';
import { noProblem, type RecordFacts } from '../record-facts.ts';
import { OtherRecords } from './other-records.ts';
import { RecordListing } from './record-listing.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const rowCount = 10_000;
const nodeIds = ['a', 'b', 'c'];

const facts = (index: number, node: string): RecordFacts => ({
  ...{
    uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    vhost: '',
    app: 'live',
    stream: `s${index}`,
  },
  ...{
    m3u8Url: '',
    begin: new Date(Date.UTC(2026, 0, 1) + (index >> 1) * 1_000).toISOString(),
    update: '',
    state: 'done',
  },
  ...{ nn: 1, duration: 2, size: 10, mp4Size: 5, ...noProblem, node, nodeName: `node ${node}` },
});

function tableOf(rows: Map<string, RecordFacts>): Collection<RecordFacts> {
  return {
    get: async (id) => rows.get(id),
    read: async (id) => ({ value: rows.get(id), revision: '' }),
    put: async (id, value) => {
      rows.set(id, value);
      return '';
    },
    remove: async (id) => rows.delete(id),
    entries: async () => rows,
  };
}

function open(all: readonly RecordFacts[]) {
  const rows = new Map(all.map((each) => [each.uuid, each]));
  const collection = tableOf(rows);
  const self = { id: 'a', name: 'node a' };
  const there = new Set(nodeIds);
  const list = () => [...there].map((id) => ({ id, name: `node ${id}`, address: {} }));
  const nodes = { self, isShared: true, isGone: (id: string) => !there.has(id), list };
  const catalogue = new RecordCatalogue(collection, self, log);
  for (const { node, nodeName: _, ...own } of all) if (node === 'a') catalogue.show(own);
  const others = new OtherRecords({ collection, nodeId: 'a', log });
  others.take(rows);
  return { rows, there, catalogue, others, listing: new RecordListing({ catalogue, others, nodes }) };
}

const all = Array.from({ length: rowCount }, (_, index) => facts(index, nodeIds[(index * 7) % 3] ?? ''));
const everything = { search: '', offset: 0, limit: undefined };
const uuids = (rows: readonly { uuid: string }[]) => rows.map(({ uuid }) => uuid);
/** Newest first. With equal times, the higher uuid comes first. */
const inOrder = uuids(all.toReversed());

test('10,000 recordings of three nodes are one list in order, and its pages follow each other without a gap', () => {
  const { listing } = open(all);
  expect(uuids(listing.list(everything))).toEqual(inOrder);
  const pages = Array.from({ length: rowCount / 25 }, (_, page) =>
    uuids(listing.rows({ search: '', offset: page * 25, limit: 25 })),
  );
  expect(pages.flat()).toEqual(inOrder);
  expect(listing.totals({ search: '' })).toEqual({ count: rowCount, recording: 0, duration: 20_000, size: 150_000 });
  expect(listing.nodes()?.map(({ name }) => name)).toEqual(nodeIds.map((id) => `node ${id}`));
  const { length } = listing.list({ ...everything, search: 'node b' });
  expect(length).toBe(all.filter(({ node }) => node === 'b').length);
});

test('without a change nothing is merged or written again, and one change writes one block', async () => {
  const { listing, others, rows } = open(all);
  const before = listing.rows(everything);
  expect(listing.rows(everything)).toBe(before);
  expect(listing.list(everything)).toBe(listing.list(everything));
  const changed = all.find(({ node }) => node === 'b')!;
  rows.set(changed.uuid, { ...changed, nn: 9 });
  await others.onChange({ kind: 'row', collection: 'recordings', id: changed.uuid, revision: '' });
  const after = listing.rows(everything);
  expect(after.filter((row, index) => row !== before[index])).toHaveLength(250);
  expect(after.find(({ uuid }) => uuid === changed.uuid)).toMatchObject({ nn: 9, node: { name: 'node b' } });
});

test('recordings that other nodes add, move to the recycle bin or delete are updated here', async () => {
  const { listing, others, rows } = open(all.slice(0, 6));
  const notify = (id: string) => others.onChange({ kind: 'row', collection: 'recordings', id, revision: '' });
  const added = facts(7, 'c');
  rows.set(added.uuid, added);
  await notify(added.uuid);
  expect(listing.list(everything)[0]).toBe(added);
  rows.set(added.uuid, { ...added, removedAt: '2026-01-02T00:00:00.000Z' });
  await notify(added.uuid);
  expect([listing.get(added.uuid), others.bin().length]).toEqual([undefined, 1]);
  expect(listing.other(added.uuid)).toMatchObject({ removedAt: expect.any(String) });
  rows.delete(added.uuid);
  await notify(added.uuid);
  expect([listing.other(added.uuid), others.bin().length]).toEqual([undefined, 0]);
  // The row changes while this node is disconnected from the store, so no notification arrives.
  rows.set(added.uuid, added);
  await others.onChange({ kind: 'anything' });
  expect(listing.get(added.uuid)).toBe(added);
});

test('rows of a node that is down contain its last name and are marked as unavailable', () => {
  const { listing, there } = open(all.slice(0, 300));
  const rowOfB = () => listing.rows(everything).find(({ node }) => node?.id === 'b')?.node;
  expect(rowOfB()).toEqual({ id: 'b', name: 'node b', isAway: false });
  there.delete('b');
  expect(rowOfB()).toEqual({ id: 'b', name: 'node b', isAway: true });
  expect(listing.nodes()?.find(({ id }) => id === 'b')?.isAway).toBe(true);
});
