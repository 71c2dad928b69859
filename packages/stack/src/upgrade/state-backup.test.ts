import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backUpState, restoreState } from './state-backup.ts';

let dataDir: string;
const inData = (...path: string[]) => join(dataDir, ...path);
const backups = () => inData('releases', 'backups');
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'srs-stack-backup-'));
  await mkdir(inData('config'));
  await writeFile(inData('config', '.env'), 'MGMT_PASSWORD=x\n', { mode: 0o600 });
  await mkdir(inData('record'));
  await writeFile(inData('record', 'movie.mp4'), 'media');
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Writes a store whose last write is only in the journal, as after a killed server. */
function writeStore(value: string, journalled: string): void {
  const database = new DatabaseSync(inData('store.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (v TEXT)');
  database.exec(`DELETE FROM t; INSERT INTO t VALUES ('${value}'); PRAGMA wal_checkpoint(TRUNCATE)`);
  database.exec(`INSERT INTO t VALUES ('${journalled}')`);
  open.push(database);
}
const open: DatabaseSync[] = [];
afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

function readStore(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare('SELECT v FROM t')
      .all()
      .map(({ v }) => v);
  } finally {
    database.close();
  }
}

it('contains writes that are only in the journal of the store, is readable by the owner only, and has no media', async () => {
  writeStore('one', 'two');
  const path = await backUpState(dataDir, backups(), '2026-before');
  expect(await readdir(path)).toEqual(['config', 'store.sqlite']);
  expect(readStore(join(path, 'store.sqlite'))).toEqual(['one', 'two']);
  expect((await stat(join(path, 'store.sqlite'))).mode & 0o077).toBe(0);
  expect((await stat(join(path, 'config', '.env'))).mode & 0o777).toBe(0o600);
});

it('restores everything, removes later files, and can be repeated', async () => {
  writeStore('one', 'two');
  const path = await backUpState(dataDir, backups(), 'b');
  for (const database of open.splice(0)) database.close();
  writeStore('changed', 'more');
  for (const database of open.splice(0)) database.close();
  await writeFile(inData('config', '.env'), 'MGMT_PASSWORD=y\n');
  await writeFile(inData('config', 'new'), 'x');
  await mkdir(inData('metrics'));
  for (let time = 0; time < 2; time++) {
    await restoreState(dataDir, path);
    expect(await readdir(dataDir)).toEqual(['config', 'record', 'releases', 'store.sqlite']);
    expect(readStore(inData('store.sqlite'))).toEqual(['one', 'two']);
    expect(await readdir(inData('config'))).toEqual(['.env']);
    expect(await readFile(inData('config', '.env'), 'utf8')).toBe('MGMT_PASSWORD=x\n');
    expect((await stat(inData('store.sqlite'))).mode & 0o077).toBe(0);
  }
});

it('refuses a damaged store: nothing must be changed then', async () => {
  await writeFile(inData('store.sqlite'), 'not a database at all, but longer than a header'.repeat(20));
  await expect(backUpState(dataDir, backups(), 'b')).rejects.toThrow(/database/);
  expect(await readdir(backups())).toEqual(['b.partial']);
});

it('keeps the newest three', async () => {
  for (const name of ['1', '2', '3', '4', '5']) await backUpState(dataDir, backups(), name);
  expect(await readdir(backups())).toEqual(['3', '4', '5']);
});
