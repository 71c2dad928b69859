// Moving a store into or out of Redis, for the command `move-store`.
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { keyCheck, opensKeyCheck, sealKeyCheck } from '../key-check.ts';
import { type CopyResult, copyStore, type StoreSource, type StoreTarget } from '../move/store-copy.ts';
import type { ValueCipher } from '../value-cipher.ts';
import { type ClusterSettings, clusterCipher } from './open-redis-store.ts';
import { connectRedis } from './redis-connect.ts';
import type { RedisConnection } from './redis-connection.ts';
import { createRedisCopy, findKeys, takePlace } from './redis-copy.ts';
import { type RedisKeys, redisKeys } from './redis-keys.ts';
import { migrateRedis, readMeta } from './redis-migrations.ts';
import { countUsers } from './redis-users.ts';

export interface MoveOptions {
  readonly now: Date;
  readonly replaces: boolean;
}

/** Copies a whole store into Redis. Resolves with the id of the Redis store. */
export async function moveIntoRedis(
  source: StoreSource,
  settings: ClusterSettings,
  { now, replaces }: MoveOptions,
): Promise<CopyResult & { id: string }> {
  const { address, name } = settings;
  const [keys, staging] = [redisKeys(name), redisKeys(name, 'moving')];
  const { commands } = await connectRedis(address);
  try {
    const requireFree = async () => {
      await requireStopped(await countUsers(commands, keys), address.shown);
      if (!replaces && (await findKeys(commands, keys.prefix)).length > 0) {
        throw new StartRefusal(`There is already a store at ${address.shown}: use --replace to replace it`);
      }
    };
    await requireFree();
    const { id } = await migrateRedis(commands, staging, { now });
    const cipher = clusterCipher(settings.secret, name);
    await commands.hsetnx(staging.documents, keyCheck.key, sealKeyCheck(cipher));
    await requireSecret(commands, staging, cipher, 'CLUSTER_SECRET does not match the copy of an interrupted move');
    const result = await copyStore(source, createRedisCopy(commands, staging, cipher));
    await requireFree();
    await takePlace(commands, staging, keys);
    return { ...result, id };
  } finally {
    commands.disconnect();
  }
}

/** Copies a whole store out of Redis. The Redis store stays unchanged. */
export async function moveOutOfRedis(target: StoreTarget, settings: ClusterSettings): Promise<CopyResult> {
  const { address, name, secret } = settings;
  const keys = redisKeys(name);
  const { commands } = await connectRedis(address);
  try {
    if ((await readMeta(commands, keys)).id === '') {
      throw new StartRefusal(`There is no store of the cluster "${name}" at ${address.shown}`);
    }
    await requireStopped(await countUsers(commands, keys), address.shown);
    const cipher = clusterCipher(secret, name);
    await requireSecret(commands, keys, cipher, `CLUSTER_SECRET does not match the store at ${address.shown}`);
    const changes = () => commands.hget(keys.meta, 'changes');
    const before = await changes();
    const result = await copyStore(createRedisCopy(commands, keys, cipher), target);
    if ((await changes()) !== before) throw new Error('the store was changed during the copy');
    return result;
  } finally {
    commands.disconnect();
  }
}

async function requireStopped(users: number, shown: string): Promise<void> {
  if (users === 0) return;
  const servers = users === 1 ? 'one running server' : `${users} running servers`;
  throw new StartRefusal(
    `The store at ${shown} is used by ${servers}: stop them first (a server that was killed still counts as running for 15 s)`,
  );
}

async function requireSecret(connection: RedisConnection, keys: RedisKeys, cipher: ValueCipher, otherwise: string) {
  const sealed = await connection.hget(keys.documents, keyCheck.key);
  if (!opensKeyCheck(cipher, sealed ?? ''))
    throw new StartRefusal(`${otherwise}: use the secret with which it was created`);
}
