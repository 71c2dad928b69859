import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openStoreFile, storeFileName } from '../open-store.ts';
import type { CollectionType, DocumentType, LogType } from '../store.ts';
import { createValueCipher } from '../value-cipher.ts';
import { migrate } from './migrations.ts';
import { createSqliteStore } from './sqlite-store.ts';

const plain: DocumentType<{ n: number }> = { key: 'plain', schema: z.object({ n: z.number() }), empty: { n: 0 } };
const hidden: DocumentType<string> = { key: 'hidden', schema: z.string(), empty: '', secret: true };
const rows: CollectionType<{ name: string }> = { name: 'rows', schema: z.object({ name: z.string() }), secret: true };
const log: LogType<number> = { name: 'log', schema: z.number(), capacity: 5 };
const now = new Date('2026-01-02T03:04:05.678Z');

let root: string;
const open = async () => openStoreFile(await openDataFolder(root), now);
const file = () => join(root, storeFileName);
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'srs-store-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the store', () => {
  it('keeps documents, rows and logs over a restart', async () => {
    let { store } = await open();
    expect(await store.get(plain)).toEqual({ n: 0 });
    await store.set(plain, { n: 1 });
    await store.set(plain, { n: 2 });
    const collection = store.collection(rows);
    await collection.put('b', { name: 'B' });
    await collection.put('a', { name: 'A' });
    await collection.put('a', { name: 'AA' });
    await store.close();
    await store.close();
    ({ store } = await open());
    expect(await store.get(plain)).toEqual({ n: 2 });
    const again = store.collection(rows);
    expect([...(await again.entries())]).toEqual([
      ['a', { name: 'AA' }],
      ['b', { name: 'B' }],
    ]);
    expect(await again.get('c')).toBeUndefined();
    expect([await again.remove('a'), await again.remove('a')]).toEqual([true, false]);
    expect(await store.collection({ ...rows, name: 'others' }).entries()).toEqual(new Map());
    await store.close();
  });

  it('limits logs and returns the newest first', async () => {
    const { store } = await open();
    for (let i = 1; i <= 12; i++) await store.log(log).append(i);
    await store.log({ ...log, name: 'other' }).append(99);
    expect(await store.log(log).newest(3)).toEqual([12, 11, 10]);
    expect(await store.log(log).newest(100)).toEqual([12, 11, 10, 9, 8]);
    await store.close();
  });

  it('encrypts secrets in its files, which only the owner may read', async () => {
    const { store } = await open();
    await store.set(hidden, 'top-secret-value');
    await store.collection(rows).put('id', { name: 'top-secret-row' });
    for (const name of (await readdir(root)).filter((each) => each.startsWith(storeFileName))) {
      const bytes = await readFile(join(root, name));
      expect(bytes.includes('top-secret')).toBe(false);
      expect((await stat(join(root, name))).mode & 0o077, name).toBe(0);
    }
    expect((await stat(join(root, 'config', 'store.key'))).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it('detects a secret moved to another place or changed', async () => {
    let { store } = await open();
    await store.set(hidden, 'a');
    await store.set({ ...hidden, key: 'other' }, 'b');
    await store.close();
    const database = new DatabaseSync(file());
    database.exec(
      "UPDATE documents SET value = (SELECT value FROM documents WHERE key = 'other') WHERE key = 'hidden'",
    );
    database.close();
    ({ store } = await open());
    await expect(store.get(hidden)).rejects.toThrow();
    expect(await store.get({ ...hidden, key: 'other' })).toBe('b');
    await store.close();
  });

  it('refuses a value that does not match its schema', async () => {
    const { store } = await open();
    await store.set({ ...plain, schema: z.any() }, { n: 'text' } as never);
    await expect(store.get(plain)).rejects.toThrow();
    await store.close();
  });
});

describe('a commit that fails', () => {
  it('reports its cause, and the next one works', async () => {
    const database = new DatabaseSync(':memory:');
    migrate(database);
    const store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
    const texts: LogType<string> = { name: 'texts', schema: z.string(), capacity: 1_000 };
    database.exec(`PRAGMA max_page_count = ${database.prepare('PRAGMA page_count').get()?.page_count}`);
    const fill = async () => {
      for (let i = 0; i < 100; i++) await store.log(texts).append('x'.repeat(1_000));
    };
    await expect(fill()).rejects.toThrow(/full/);
    database.exec('PRAGMA max_page_count = 1000');
    await store.log(texts).append('after');
    expect(await store.log(texts).newest(1)).toEqual(['after']);
    await store.close();
  });
});

describe('an unusable store file', () => {
  it('is refused while another process has it open', async () => {
    const { store } = await open();
    await expect(open()).rejects.toThrow(/in use by another process/);
    await store.close();
  });

  it('is renamed when damaged, and a new one is created', async () => {
    for (const [index, damage] of [
      'not a database at all, but longer than a header of one hundred bytes'.repeat(4),
      undefined,
    ].entries()) {
      const { store } = await open();
      await store.set(plain, { n: 7 });
      await store.close();
      const before = await readFile(file());
      await writeFile(
        file(),
        damage ?? Buffer.concat([before.subarray(0, 4096), Buffer.alloc(before.length - 4096, 0xaa)]),
      );
      const bytes = await readFile(file());
      const opened = await openStoreFile(await openDataFolder(root), new Date(now.getTime() + index));
      expect(opened.damagedFile).toMatch(/store\.sqlite\.damaged-2026-01-02T03-04-05-67[89]Z$/);
      expect((await readFile(opened.damagedFile as string)).equals(bytes)).toBe(true);
      expect(await opened.store.get(plain)).toEqual({ n: 0 });
      await opened.store.close();
    }
  });

  it('is refused with an error message when its key is missing, damaged or a different one', async () => {
    const { store } = await open();
    await store.set(hidden, 'x');
    await store.close();
    const key = join(root, 'config', 'store.key');
    const good = await readFile(key);
    await writeFile(key, 'short');
    await expect(open()).rejects.toThrow(/key file .* is damaged/);
    await writeFile(key, '00'.repeat(32));
    await expect(open()).rejects.toThrow(/does not match the store/);
    await rm(key);
    await expect(open()).rejects.toThrow(StartRefusal);
    await writeFile(key, good);
    const again = await open();
    expect(await again.store.get(hidden)).toBe('x');
    await again.store.close();
  });

  it('is refused when a newer release wrote it, and stays unchanged', async () => {
    const { store } = await open();
    await store.close();
    const database = new DatabaseSync(file());
    database.exec('PRAGMA user_version = 999');
    database.close();
    await expect(open()).rejects.toThrow(/newer release/);
    expect((await readdir(root)).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  it('is refused when it is not a file', async () => {
    await rm(file(), { force: true });
    const { mkdir } = await import('node:fs/promises');
    await mkdir(file());
    await expect(open()).rejects.toThrow(StartRefusal);
  });
});
