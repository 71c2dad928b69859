// Files of virtual live streams on two nodes with a common store and bucket: which node has a file, and its download by the second node.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { thisServer } from '../src/actor.ts';
import { type MediaFolders, openMediaFolders } from '../src/files/media-folders.ts';
import { createMediaLibrary, type MediaLibrary } from '../src/files/media-library.ts';
import { type Objects, openObjects } from '../src/objects/open-objects.ts';
import { createAuditTrail } from '../src/store/audit-trail.ts';
import { migrate } from '../src/store/sqlite/migrations.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import type { Store, StoreChange } from '../src/store/store.ts';
import { createValueCipher } from '../src/store/value-cipher.ts';
import { type BucketServer, serverBucket, serverKeys, startBucketServer } from '../src/testing/bucket-server.ts';
import { makeTestClip } from '../src/testing/test-clip.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const hourMs = 3_600_000;
/** Part size, bytes. It is smaller than the test content, so that an object has several parts. */
const partBytes = 5 * 1024 * 1024;

interface Node {
  readonly folders: MediaFolders;
  readonly library: MediaLibrary;
  readonly objects: Objects;
}

let root: string;
let store: Store;
let bucket: BucketServer;
let north: Node;
let south: Node;
/** Active nodes. */
let there: Map<string, string>;
const clock = { nowMs: Date.parse('2026-01-02T03:04:05Z') };
const now = () => new Date(clock.nowMs);
/** A clock that runs 100 times as fast, so that pauses are short. */
const monotonicMs = () => performance.now() * 100;
const listeners = new Set<(change: StoreChange) => void | Promise<void>>();

async function openNode(name: string): Promise<Node> {
  const folders = await openMediaFolders(join(root, name));
  const list = () => [...there].map(([id, state]) => ({ id, name: id, state }));
  const nodes = { self: { id: name, name }, isShared: true, list };
  const shared: Store = { ...store, subscribe: (listener) => listeners.add(listener) && (() => undefined) };
  const audit = createAuditTrail({ store, log, now });
  const objects = await openObjects({ store, audit, now, log, partBytes });
  objects.start();
  return {
    folders,
    objects,
    library: createMediaLibrary({ store: shared, folders, nodes, bucket: objects, log, now, monotonicMs }),
  };
}

async function close({ library, objects }: Node): Promise<void> {
  await library.close();
  await objects.close();
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'srs-vlive-files-'));
  const database = new DatabaseSync(':memory:');
  migrate(database);
  store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
  bucket = await startBucketServer();
  there = new Map([
    ['north', 'running'],
    ['south', 'running'],
  ]);
  [north, south] = [await openNode('north'), await openNode('south')];
});
afterEach(async () => {
  for (const node of [north, south]) await close(node);
  listeners.clear();
  await bucket.close();
  await rm(root, { recursive: true, force: true });
});

async function use({ library }: Node, content: Buffer): Promise<{ uuid: string; target: string }> {
  const { uuid, target } = await library.receive('show.ts', Readable.from([content]));
  return { uuid, target: await library.keep(target) };
}
const unused = () => false;
const used = () => true;
const listed = async ({ library }: Node) => (await library.list(() => []))[0];
const eventually = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 20_000, interval: 20 });
async function switchOn(): Promise<void> {
  const place = { endpoint: bucket.endpoint, region: '', bucket: serverBucket, pathStyle: true, prefix: '' };
  const settings = { ...place, ...serverKeys, on: true, local: 'keep' as const, delivery: 'auto' as const };
  await north.objects.change(settings, { actor: thisServer });
  // The settings are read when a node opens, so the second node is opened again.
  await close(south);
  south = await openNode('south');
}
const inBucket = () => eventually(async () => expect(await listed(north)).toMatchObject({ place: 'both' }));
/** Content of more than one part that starts with a real media header. */
const largeFile = () => Buffer.concat([makeTestClip(), randomBytes(11 * 1024 * 1024)]);
const fetched = async (target: string) => {
  const file = await south.library.elsewhere(target);
  if (!file) throw new Error('nobody knows the file');
  return south.library.fetch(file);
};

it('a file belongs to the node that received it: others list it, but do not remove anything of it', async () => {
  const { target } = await use(north, makeTestClip());
  expect(await listed(south)).toMatchObject({ node: { id: 'north', isAway: false }, place: 'server' });
  clock.nowMs += 3 * hourMs;
  await south.library.cleanUp(unused);
  expect(await listed(south)).toMatchObject({ target });
  const { target: fresh } = await north.library.receive('other.ts', Readable.from([makeTestClip()]));
  clock.nowMs += 3 * hourMs;
  await south.library.cleanUp(unused);
  expect(await north.folders.pathOf(fresh)).toBeDefined();
  await north.library.cleanUp(unused);
  expect(await north.folders.pathOf(fresh)).toBeUndefined();
  expect(await north.folders.pathOf(target)).toBeDefined();
  there.delete('north');
  expect(await listed(south)).toMatchObject({ node: { isAway: true } });
});

it('a file can be deleted from any node while the node that stores it is active', async () => {
  const { uuid, target } = await use(north, makeTestClip());
  there.delete('north');
  await expect(south.library.remove(uuid, () => [])).rejects.toMatchObject({ errorName: 'nodeAway' });
  there.set('north', 'draining');
  await south.library.remove(uuid, () => []);
  for (const listener of listeners)
    await listener({ kind: 'row', collection: 'media-files', id: uuid, revision: 'absent' });
  expect(await north.folders.pathOf(target)).toBeUndefined();
  expect(await listed(north)).toBeUndefined();
});

it('a file is uploaded to the bucket in parts when a virtual live uses it, and another node gets every byte', async () => {
  const content = largeFile();
  const { target } = await use(north, content);
  expect((await north.library.onlyThere()).get('north')).toBe(1);
  await switchOn();
  await inBucket();
  expect(bucket.requests.filter(({ what }) => what.startsWith('part '))).toHaveLength(3);
  expect((await north.library.onlyThere()).size).toBe(0);
  expect(await north.folders.pathOf(target)).toBeDefined();
  expect(await fetched(target)).toMatchObject({ problem: '' });
  const path = await eventually(async () => {
    const found = await south.folders.pathOf(target);
    expect(found).toBeDefined();
    return found!;
  });
  expect((await readFile(path)).equals(content)).toBe(true);
  // The copy is kept while a virtual live stream uses it. The row still names the node that owns the file.
  await south.library.cleanUp(used);
  expect(await south.folders.pathOf(target)).toBeDefined();
  expect(await listed(south)).toMatchObject({ node: { id: 'north' } });
  await south.library.cleanUp(unused);
  expect(await south.folders.pathOf(target)).toBeUndefined();
  expect(await north.folders.pathOf(target)).toBeDefined();
});

it('a download resumes after an interruption, and is accepted only when it is complete', async () => {
  const content = largeFile();
  const { uuid, target } = await use(north, content);
  await switchOn();
  await inBucket();
  const part = join(south.folders.partial, `${uuid}.fetch`);
  await writeFile(part, content.subarray(0, 6_000_000));
  await fetched(target);
  await eventually(async () => expect(await south.folders.pathOf(target)).toBeDefined());
  // An earlier request only checked that the object is complete; the last request reads the rest.
  const read = bucket.requests.findLast(({ what }) => what === 'get');
  expect(read?.headers.range).toBe(`bytes=6000000-${content.length - 1}`);

  await south.library.cleanUp(unused);
  await writeFile(part, Buffer.alloc(content.length));
  await fetched(target);
  await eventually(async () =>
    expect((await fetched(target)).problem).toContain('differs from the file that was uploaded'),
  );
  expect(await readdir(south.folders.partial)).toEqual([]);
  expect(await south.folders.pathOf(target)).toBeUndefined();
});

it('a download is retried when the bucket fails', async () => {
  const { target } = await use(north, largeFile());
  await switchOn();
  await inBucket();
  bucket.behave = ({ what }) => (what === 'get' ? { status: 403, code: 'AccessDenied' } : 'pass');
  await fetched(target);
  await eventually(async () => expect((await fetched(target)).problem).not.toBe(''));
  bucket.behave = () => 'pass';
  await eventually(async () => {
    if (await south.library.elsewhere(target)) await fetched(target);
    expect(await south.folders.pathOf(target)).toBeDefined();
  });
});
