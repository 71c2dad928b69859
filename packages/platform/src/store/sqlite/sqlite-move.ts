// Moves a store into or out of a file, for the command `move-store`. A copy is written beside the store file and renamed when complete.
import { existsSync, renameSync, statSync } from 'node:fs';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { hasFittingKey } from '../key-check.ts';
import type { StoreTarget } from '../move/store-copy.ts';
import { createValueCipher } from '../value-cipher.ts';
import { createSqliteCopy } from './sqlite-copy.ts';
import { openSqliteFile } from './sqlite-file.ts';
import { createSqliteStore } from './sqlite-store.ts';

const endings = ['', '-wal', '-shm'];

export interface OpenedCopy {
  readonly copy: StoreTarget;
  close(): Promise<void>;
}

/** Opens the source of a move. Throws StartRefusal if the file is missing, damaged or in use. */
export function openFileToLeave(path: string, key: Buffer, now: Date): Promise<OpenedCopy> {
  if (!existsSync(path)) throw new StartRefusal(`There is no store ${path}`);
  return openCopy(path, key, now);
}

export interface FileToFill extends OpenedCopy {
  /** Replaces the store by the copy. Resolves with the new name of the previous store, if any. */
  takePlace(): Promise<string | undefined>;
}

/** Opens a file for a copy, beside the store. Throws StartRefusal if a store exists and `replaces` is false. */
export async function openFileToFill(
  path: string,
  key: Buffer,
  { now, replaces }: { now: Date; replaces: boolean },
): Promise<FileToFill> {
  if (!replaces && existsSync(path) && statSync(path).size > 0) {
    throw new StartRefusal(`There is already a store ${path}: use --replace to replace it; the old one is renamed`);
  }
  const opened = await openCopy(`${path}.moving`, key, now);
  return {
    ...opened,
    async takePlace() {
      await opened.close();
      const kept = `${path}.replaced-${now.toISOString().replace(/[:.]/g, '-')}`;
      const hasBefore = existsSync(path);
      for (const ending of endings) if (existsSync(path + ending)) renameSync(path + ending, kept + ending);
      renameSync(`${path}.moving`, path);
      return hasBefore ? kept : undefined;
    },
  };
}

async function openCopy(path: string, key: Buffer, now: Date): Promise<OpenedCopy> {
  const { database, damagedFile } = await openSqliteFile(path, now);
  const cipher = createValueCipher(key);
  const store = createSqliteStore(database, cipher);
  const close = () => store.close();
  if (damagedFile || !(await hasFittingKey(store))) {
    await close();
    const why = damagedFile ? `is damaged and was renamed to ${damagedFile}` : 'does not match its key file';
    throw new StartRefusal(`The store ${path} ${why}: nothing was moved`);
  }
  return { copy: createSqliteCopy(database, cipher), close };
}
