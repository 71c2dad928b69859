// Backup of the state that a rolled-back upgrade restores: settings, keys, the store, and the history of the dashboard. Recordings and
// other media are not included, because a release never changes existing media.
import { chmod, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFileSystem, renameDurably } from './durable-file.ts';

const stateFolders = ['config', 'metrics'];
const storeFile = 'store.sqlite';
/** Suffixes of SQLite's files beside a store. These files are valid only together with their store. */
const journalEndings = ['-wal', '-shm', '-journal'];
/** Number of kept backups, each a few hundred KB to a few MB. Each upgrade attempt creates one. */
const keptBackups = 3;

/**
 * Copies the state while no server runs. The backup gets its final name when it is complete and on disk. Resolves with its path. Rejects
 * for an unreadable file or a damaged store.
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

/** Restores the state. Never changes the backup, so it can run again after a power failure. */
export async function restoreState(dataDir: string, backupPath: string): Promise<void> {
  for (const folder of stateFolders) {
    await replace(join(backupPath, folder), join(dataDir, folder));
  }
  const store = join(dataDir, storeFile);
  for (const ending of journalEndings) await rm(store + ending, { force: true });
  await replace(join(backupPath, storeFile), store);
  await flushFileSystem(dataDir);
}

/** Copies a store with SQLite, so that the copy contains the journal of a killed server. */
async function backUpStore(from: string, to: string): Promise<void> {
  // Loaded only for a backup, because the supervisor keeps loaded modules in memory as long as the product runs.
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

/** Replaces a file or folder with its copy in the backup. Files that are not in the backup are removed. */
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
