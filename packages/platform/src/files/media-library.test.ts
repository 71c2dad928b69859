// The library after files are received. (Receiving: file-intake.test.ts; other nodes and buckets: test/vlive-files.test.ts.)
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import type { AppError } from '@srs-stack/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../store/sqlite/migrations.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../store/value-cipher.ts';
import { noBucket } from '../testing/no-bucket.ts';
import { type MediaFolders, openMediaFolders } from './media-folders.ts';
import { createMediaLibrary, type MediaLibrary } from './media-library.ts';

const hourMs = 3_600_000;
const alone = { self: { id: 'a', name: 'a' }, isShared: false, list: () => [] };
let root: string;
let folders: MediaFolders;
let library: MediaLibrary;
let nowMs: number;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'srs-library-'));
  nowMs = Date.parse('2026-01-02T03:04:05Z');
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
  folders = await openMediaFolders(root);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  library = createMediaLibrary({
    ...{ store, folders, log, now: () => new Date(nowMs) },
    nodes: alone,
    bucket: noBucket,
  });
});
afterEach(() => rmSync(root, { recursive: true }));

const flv = Buffer.concat([Buffer.from('FLV\x01'), Buffer.alloc(20)]);
const receive = (name: string) => library.receive(name, Readable.from([flv]));
const unused = () => [];
const listed = async (usedBy: (target: string) => string[] = unused) =>
  (await library.list(usedBy)).map(({ name, expiresAt }) => `${name} ${expiresAt}`.trim());
const refusal = (step: Promise<unknown>) =>
  step.then(
    () => 'accepted',
    (error: AppError) => error.errorName,
  );

it('lists the newest first, with the deletion time of unused files', async () => {
  const kept = await library.keep((await receive('kept.flv')).target);
  nowMs += 1_000;
  const { target } = await receive('used.flv');
  nowMs += 1_000;
  await receive('idle.flv');
  const idle = 'idle.flv 2026-01-02T05:04:07.000Z';
  expect(await listed((each) => (each === target ? ['x'] : []))).toEqual([idle, 'used.flv', 'kept.flv']);
  expect(kept).toMatch(/^vlive\/[\w-]+\.flv$/);
});

it('keeps a file once, never discards a kept file, and detects a missing one', async () => {
  const { target } = await receive('a.flv');
  const kept = await library.keep(target);
  expect(existsSync(join(root, kept))).toBe(true);
  expect(await library.keep(kept)).toBe(kept);
  await library.discard(kept);
  expect(await listed()).toEqual(['a.flv']);
  expect(await refusal(library.keep(target))).toBe('fileNotFound');
});

it('removes a file and its row, but no file in use', async () => {
  const { uuid, target } = await receive('a.flv');
  expect(await refusal(library.remove(uuid, () => ['x']))).toBe('fileInUse');
  expect(existsSync(join(root, target))).toBe(true);
  expect(await library.remove(uuid, unused)).toBe('a.flv');
  expect([existsSync(join(root, target)), await listed()]).toEqual([false, []]);
  expect(await refusal(library.remove(uuid, unused))).toBe('fileNotFound');
});

it('deletes unused files after two hours, but none that are used or kept', async () => {
  const used = await receive('used.flv');
  const idle = await receive('idle.flv');
  const kept = await library.keep((await receive('kept.flv')).target);
  const isUsed = (target: string) => target === used.target;
  nowMs += 2 * hourMs - 1;
  await library.cleanUp(isUsed);
  expect(await listed()).toHaveLength(3);
  nowMs += 1;
  await library.cleanUp(isUsed);
  expect((await listed(() => ['x'])).sort()).toEqual(['kept.flv', 'used.flv']);
  expect([used.target, idle.target, kept].map((target) => existsSync(join(root, target)))).toEqual([true, false, true]);
});

it('completes a move that a crash interrupted, and drops the row of a deleted file', async () => {
  const kept = await library.keep((await receive('moved.flv')).target);
  const away = await library.keep((await receive('away.flv')).target);
  renameSync(join(root, kept), join(folders.upload, basename(kept)));
  rmSync(join(root, away));
  await library.cleanUp(() => false);
  expect([existsSync(join(root, kept)), await listed()]).toEqual([true, ['moved.flv']]);
  expect(readdirSync(folders.upload)).toEqual(['.partial']);
});
