// The state that a release may change and that an upgrade must be able to bring back: settings, keys, the store, the
// dashboard's history. Recordings and other media are not copied: releases add to them and never rewrite them.
import { chmod, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFileSystem, renameDurably } from './durable-file.ts';

/** Folders of the data folder that are state. */
const stateFolders = ['config', 'metrics'];
const storeFile = 'store.sqlite';
/** Files SQLite keeps beside a store; they belong to the one they were written for. */
const journalEndings = ['-wal', '-shm', '-journal'];
/** Backups kept: a few hundred KB to a few MB each, enough to look at what was before the upgrades of a week. */
const keptBackups = 3;

/**
 * Copies the state while no server runs. The backup has its name only when it is complete and on disk; resolves with its path.
 * Rejects when something cannot be read, a damaged store too.
 */
export async function backUpState(dataDir: string, backups: string, name: string): Promise<string> {
  const path = join(backups, name);
  const partial = `${path}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  for (const folder of stateFolders) {
    if (await exists(join(dataDir, folder)))
      await cp(join(dataDir, folder), join(partial, folder), { recursive: true });
  }
  if (await exists(join(dataDir, storeFile))) await backUpStore(join(dataDir, storeFile), join(partial, storeFile));
  await flushFileSystem(partial);
  await rm(path, { recursive: true, force: true });
  await renameDurably(partial, path);
  await removeOldBackups(backups);
  return path;
}

/** Puts the state back as it was; may be repeated after a power cut, because the backup stays as it is. */
export async function restoreState(dataDir: string, backupPath: string): Promise<void> {
  for (const folder of stateFolders) {
    await replace(join(backupPath, folder), join(dataDir, folder));
  }
  const store = join(dataDir, storeFile);
  for (const ending of journalEndings) await rm(store + ending, { force: true });
  await replace(join(backupPath, storeFile), store);
  await flushFileSystem(dataDir);
}

/** SQLite's own copy: what is still in the journal of a killed server is in it. */
async function backUpStore(from: string, to: string): Promise<void> {
  // Loaded for a backup alone: the supervisor stays in memory for as long as the product runs.
  const { backup, DatabaseSync } = await import('node:sqlite');
  const source = new DatabaseSync(from);
  try {
    const verdict = source.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (verdict !== 'ok') throw new Error(`the store is damaged: ${verdict}`);
    await backup(source, to);
    await chmod(to, 0o600);
  } finally {
    source.close();
  }
}

/** What was not there when the backup was made is not there afterwards. */
async function replace(from: string, to: string): Promise<void> {
  const fresh = `${to}.restoring`;
  await rm(fresh, { recursive: true, force: true });
  const isThere = await exists(from);
  if (isThere) await cp(from, fresh, { recursive: true });
  await rm(to, { recursive: true, force: true });
  if (isThere) await rename(fresh, to);
}

async function removeOldBackups(backups: string): Promise<void> {
  const complete = (await readdir(backups)).filter((name) => !name.endsWith('.partial')).sort();
  const old = complete.slice(0, Math.max(0, complete.length - keptBackups));
  await Promise.all(old.map((name) => rm(join(backups, name), { recursive: true, force: true })));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
