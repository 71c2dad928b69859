// Opens the store file: locks, checks and migrates the file. A damaged file is renamed.
import { existsSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { StartRefusal, startRefusalOf } from '@srs-stack/process/start-refusal.ts';
import { migrate, NewerSchemaError } from './migrations.ts';

/** Maximum wait at the start for the previous process to release the file, milliseconds. */
const busyTimeoutMs = 3_000;
/** Primary result codes of SQLite (https://sqlite.org/rescode.html). */
const sqliteBusy = 5;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

export interface OpenedFile {
  readonly database: DatabaseSync;
  readonly damagedFile: string | undefined;
}

/** Opens or creates `path` (`:memory:` for tests). Throws StartRefusal. */
export async function openSqliteFile(path: string, now: Date): Promise<OpenedFile> {
  try {
    await createForOwner(path);
    const database = openChecked(path);
    return { database, damagedFile: undefined };
  } catch (error) {
    if (!isDamage(error)) throw explain(path, error);
    const damagedFile = keepAside(path, now);
    try {
      await createForOwner(path);
      return { database: openChecked(path), damagedFile };
    } catch (second) {
      throw explain(path, second);
    }
  }
}

/**
 * `locking_mode=EXCLUSIVE` refuses a second process, which could corrupt the data. `synchronous=FULL` flushes each commit before the call
 * returns; NORMAL could lose the last commits in a power failure. Commits are rare (e.g. settings, start and end of streams).
 */
function openChecked(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    const verdict = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (verdict !== 'ok') throw Object.assign(new Error(`quick_check: ${verdict}`), { errcode: sqliteCorrupt });
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Creates an empty file, readable only by the owner. SQLite accepts an empty file as a database, and creates its journal with equal mode.
 */
async function createForOwner(path: string): Promise<void> {
  if (path === ':memory:') return;
  const file = await open(path, 'a', 0o600);
  await file.close();
}

function primaryCode(error: unknown): number {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : 0;
}

function isDamage(error: unknown): boolean {
  return [sqliteCorrupt, sqliteNotADatabase].includes(primaryCode(error));
}

/** Renames the file and its journal. Nothing is deleted: the content may be recovered manually. */
function keepAside(path: string, now: Date): string {
  const kept = `${path}.damaged-${now.toISOString().replace(/[:.]/g, '-')}`;
  try {
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
    }
  } catch (error) {
    throw startRefusalOf(`The store ${path} is damaged and cannot be renamed`, error);
  }
  return kept;
}

function explain(path: string, error: unknown): StartRefusal {
  if (primaryCode(error) === sqliteBusy) {
    return new StartRefusal(`The store ${path} is in use by another process, stop it or choose another DATA_DIR`);
  }
  if (error instanceof NewerSchemaError) {
    return new StartRefusal(`The store ${path} was written by a newer release, install that release: ${error.message}`);
  }
  return startRefusalOf(`The store ${path} cannot be opened`, error);
}
