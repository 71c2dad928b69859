// What a full disk does to uploads: a clear refusal, and nothing left. (The ordinary ways are in test/vlives.test.ts.)
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const alone = { self: { id: 'a', name: 'a' }, isShared: false, list: () => [] };
let root: string;
let folders: MediaFolders;
let library: MediaLibrary;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'srs-library-'));
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
  folders = await openMediaFolders(root);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  library = createMediaLibrary({ ...{ store, folders, log, now: () => new Date() }, nodes: alone, bucket: noBucket });
});
afterEach(() => rmSync(root, { recursive: true }));

const refusal = (step: Promise<unknown>) =>
  step.then(
    () => 'accepted',
    (error: AppError) => error.errorName,
  );

it('refuses before a byte is sent what does not fit', async () => {
  const free = await folders.freeBytes();
  expect(await refusal(folders.requireRoom(free + 1024 ** 4))).toBe('diskFull');
  expect(await refusal(library.admit('a.mp4', 101 * 1024 ** 3))).toBe('uploadTooLarge');
  expect(await refusal(library.admit('a.mp4', 1))).toBe('accepted');
});

it('removes what was written when the disk becomes full on the way', async () => {
  const body = Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    })(),
  );
  expect(await refusal(library.receive('a.mp4', body))).toBe('diskFull');
  expect(readdirSync(folders.partial)).toEqual([]);
  expect(await library.list(() => [])).toEqual([]);
});
