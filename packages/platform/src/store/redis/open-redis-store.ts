// Opens the shared store: connects, creates or migrates the store, and verifies the secret.
import { hkdfSync } from 'node:crypto';
import type { Log } from '@srs-stack/process/log.ts';
import { StartRefusal, startRefusalOf } from '@srs-stack/process/start-refusal.ts';
import { hasFittingKey } from '../key-check.ts';
import type { LeaseTable } from '../lease-table.ts';
import type { NodeTable } from '../node-table.ts';
import type { Store } from '../store.ts';
import { createValueCipher, type ValueCipher } from '../value-cipher.ts';
import type { ClusterAddress } from './cluster-address.ts';
import { connectRedis } from './redis-connect.ts';
import { leaseKeys, redisKeys } from './redis-keys.ts';
import { createRedisLeases } from './redis-leases.ts';
import { openRedisLink } from './redis-link.ts';
import { migrateRedis, NewerLayoutError, readMeta } from './redis-migrations.ts';
import { createRedisNodes } from './redis-nodes.ts';
import { createRedisStore } from './redis-store.ts';

const keyBytes = 32;

export interface ClusterSettings {
  readonly address: ClusterAddress;
  /** Cluster name, a part of every key. */
  readonly name: string;
  readonly secret: string;
}

export interface OpenRedisOptions {
  readonly now: Date;
  readonly log: Log;
  /** Id of the store that this server used before. If the id is set, an empty Redis means a lost store, not a new store. */
  readonly knownId: string | undefined;
  /** Response timeout during the start, milliseconds. */
  readonly waitMs?: number;
  /** Path for the error message: without this file, the server starts with an empty store. */
  readonly knownIdFile: string;
}

export interface OpenedRedisStore {
  readonly store: Store;
  readonly nodes: NodeTable;
  readonly leases: LeaseTable;
  readonly id: string;
}

/** Throws StartRefusal. */
export async function openRedisStore(
  { address, name, secret }: ClusterSettings,
  { now, log, knownId, knownIdFile, waitMs }: OpenRedisOptions,
): Promise<OpenedRedisStore> {
  const keys = redisKeys(name);
  const { commands, facts, another } = await connectRedis(address, waitMs);
  let store: Store | undefined;
  try {
    if (knownId && (await readMeta(commands, keys)).id === '') {
      throw new StartRefusal(
        `The store at ${address.shown} is empty, but this server used a store there before: restore its backup, or remove ${knownIdFile} to create a new one`,
      );
    }
    const { id } = await migrateRedis(commands, keys, { now });
    if (knownId && knownId !== id) log.warn({ store: address.shown }, 'the server uses a different store than before');
    if (!facts.appendsToFile) {
      log.warn(
        { store: address.shown },
        'the store has no append-only file: if Redis is killed, the last changes are lost',
      );
    }
    const link = await openRedisLink({ name: facts.name, id, commands, subscriber: await another(), keys, log });
    const cipher = clusterCipher(secret, name);
    store = createRedisStore({ link, keys, cipher });
    if (!(await hasFittingKey(store))) {
      throw new StartRefusal(
        `CLUSTER_SECRET does not match the store at ${address.shown}: use the secret with which the cluster "${name}" was created`,
      );
    }
    const leases = createRedisLeases({ link, meta: keys.meta, keys: leaseKeys(name), cipher });
    return { store, nodes: createRedisNodes(link, keys), leases, id };
  } catch (error) {
    await store?.close();
    commands.disconnect();
    throw refusalOf(address.shown, error);
  }
}

/** One encryption key per cluster, derived from the cluster secret. */
export function clusterCipher(secret: string, cluster: string): ValueCipher {
  return createValueCipher(Buffer.from(hkdfSync('sha256', secret, cluster, 'srs-stack store v1', keyBytes)));
}

function refusalOf(shown: string, error: unknown): StartRefusal {
  if (error instanceof NewerLayoutError) {
    return new StartRefusal(
      `The store at ${shown} was written by a newer release, install that release: ${error.message}`,
    );
  }
  return startRefusalOf(`The store at ${shown} cannot be opened`, error);
}
