// Opens the store of a server: a file in the data folder, or with CLUSTER_URL a Redis that several servers share.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import type { DataFolder } from '@srs-stack/process/data-folder.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { StartRefusal, startRefusalOf } from '@srs-stack/process/start-refusal.ts';
import { hasFittingKey } from './key-check.ts';
import type { LeaseTable } from './lease-table.ts';
import type { NodeTable } from './node-table.ts';
import type { ClusterSettings } from './redis/open-redis-store.ts';
import { openSqliteFile } from './sqlite/sqlite-file.ts';
import { createSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';
import { createValueCipher, openKeyFile } from './value-cipher.ts';

export const storeFileName = 'store.sqlite';
export const keyFileName = 'store.key';
/** File with the id of the Redis store that this server used last. */
export const clusterStoreFileName = 'cluster-store';

export interface OpenedStore {
  readonly store: Store;
  /** New name of a damaged store file. The opened store is then empty. */
  readonly damagedFile: string | undefined;
  readonly nodes: NodeTable | undefined;
  readonly leases: LeaseTable | undefined;
}

export interface StorePlace {
  readonly folder: DataFolder;
  /** Settings of the shared Redis; undefined if the store is a file. */
  readonly cluster: ClusterSettings | undefined;
  readonly now: Date;
  readonly log: Log;
}

/** Opens or creates the store. Throws StartRefusal. */
export function openStore(place: StorePlace): Promise<OpenedStore> {
  return place.cluster ? openSharedStore(place, place.cluster) : openStoreFile(place.folder, place.now);
}

/** Opens the store file of one server. Throws StartRefusal. */
export async function openStoreFile(folder: DataFolder, now: Date): Promise<OpenedStore> {
  const keyPath = join(folder.config, keyFileName);
  const cipher = createValueCipher(await openKeyFile(keyPath));
  const storePath = join(folder.root, storeFileName);
  const { database, damagedFile } = await openSqliteFile(storePath, now);
  const store = createSqliteStore(database, cipher);
  if (!(await hasFittingKey(store))) {
    await store.close();
    throw new StartRefusal(
      `The key file ${keyPath} does not match the store ${storePath}, restore both from the same backup or move the store away`,
    );
  }
  return { store, damagedFile, nodes: undefined, leases: undefined };
}

async function openSharedStore({ folder, now, log }: StorePlace, cluster: ClusterSettings): Promise<OpenedStore> {
  // Loads the Redis client only for a cluster.
  const { openRedisStore } = await import('./redis/open-redis-store.ts');
  const knownIdFile = join(folder.config, clusterStoreFileName);
  const knownId = await readIfThere(knownIdFile);
  const { store, nodes, leases, id } = await openRedisStore(cluster, { now, log, knownId, knownIdFile });
  try {
    if (id !== knownId) await writeFileAtomically(knownIdFile, `${id}\n`, 0o600);
  } catch (error) {
    await store.close();
    throw startRefusalOf(`The file ${knownIdFile} cannot be written`, error);
  }
  return { store, damagedFile: undefined, nodes, leases };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw startRefusalOf(`The file ${path} cannot be read`, error);
  }
}
