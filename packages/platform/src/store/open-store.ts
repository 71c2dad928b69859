// Opens the store of a data folder: key file, store file, and the proof that both belong together.
import { join } from 'node:path';
import type { DataFolder } from '@srs-stack/process/data-folder.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { z } from 'zod';
import { openSqliteFile } from './sqlite/sqlite-file.ts';
import { createSqliteStore } from './sqlite/sqlite-store.ts';
import type { DocumentType, Store } from './store.ts';
import { createValueCipher, openKeyFile } from './value-cipher.ts';

export const storeFileName = 'store.sqlite';
const keyFileName = 'store.key';

export interface OpenedStore {
  readonly store: Store;
  /** Where a damaged store file was kept; the store is then a new one. */
  readonly damagedFile: string | undefined;
}

/** A known text, encrypted: it can be read only with the key the store was made with. */
const keyCheck: DocumentType<string> = { key: 'key-check', schema: z.string(), empty: '', secret: true };
const keyCheckText = 'srs-stack';

/** Opens or creates. Throws StartRefusal with the remedy. */
export async function openStore(folder: DataFolder, now: Date): Promise<OpenedStore> {
  const keyPath = join(folder.config, keyFileName);
  const cipher = createValueCipher(await openKeyFile(keyPath));
  const storePath = join(folder.root, storeFileName);
  const { database, damagedFile } = await openSqliteFile(storePath, now);
  const store = createSqliteStore(database, cipher);
  if (!(await hasFittingKey(store))) {
    await store.close();
    throw new StartRefusal(
      `The key file ${keyPath} does not fit the store ${storePath}, restore both from the same backup or move the store away`,
    );
  }
  return { store, damagedFile };
}

async function hasFittingKey(store: Store): Promise<boolean> {
  try {
    const text = await store.get(keyCheck);
    if (text === '') await store.set(keyCheck, keyCheckText);
    return text === '' || text === keyCheckText;
  } catch {
    return false;
  }
}
