// Schema migrations of a Redis store, one step per version; `schema` in the meta hash counts the completed steps. Released steps never
// change: a new requirement is a new step. If several processes start together, only one process migrates.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';
import { migrationScript, runScript, scripts } from './redis-scripts.ts';

/** Expiry of the lock after a crash, milliseconds; all steps together are faster. */
const lockMs = 15_000;
const lockPollMs = 100;
/** Maximum wait while another process migrates, milliseconds. */
const patienceMs = 60_000;

/** Lua with KEYS meta, lock and ARGV token, number, id of a new store, current time. */
const steps: readonly string[] = [
  // Documents, rows and logs are created with their first entry.
  `redis.call('HSET', KEYS[1], 'id', ARGV[3], 'made', ARGV[4], 'changes', 0)`,
];

export interface StoreIdentity {
  readonly id: string;
  readonly isNew: boolean;
}

export interface MigrationOptions {
  readonly now: Date;
  readonly steps?: readonly string[];
  readonly waitMs?: number;
}

/** Creates the store, or migrates the store to the newest schema. Throws NewerLayoutError for a store of a later release. */
export async function migrateRedis(
  connection: RedisConnection,
  keys: RedisKeys,
  { now, steps: all = steps, waitMs = patienceMs }: MigrationOptions,
): Promise<StoreIdentity> {
  const before = await readMeta(connection, keys);
  if (before.schema > all.length) throw new NewerLayoutError(before.schema, all.length);
  if (before.schema === all.length) return { id: before.id, isNew: false };
  const token = randomUUID();
  const deadline = performance.now() + waitMs;
  while ((await connection.set(keys.lock, token, 'PX', lockMs, 'NX')) !== 'OK') {
    if (performance.now() > deadline) throw new Error('another process is still migrating the store');
    await sleep(lockPollMs);
  }
  try {
    const { schema } = await readMeta(connection, keys);
    const id = randomUUID();
    for (const [index, step] of all.entries()) {
      if (index < schema) continue;
      const args = [token, index + 1, id, now.toISOString()];
      await runScript(connection, migrationScript(step), [keys.meta, keys.lock], args);
    }
    const after = await readMeta(connection, keys);
    return { id: after.id, isNew: after.id === id };
  } finally {
    await runScript(connection, scripts.unlock, [keys.lock], [token]);
  }
}

/** Id and schema of the store. Without a store, the id is '' and the schema is 0. */
export async function readMeta(connection: RedisConnection, keys: RedisKeys): Promise<{ id: string; schema: number }> {
  const [id, schema] = await connection.hmget(keys.meta, 'id', 'schema');
  return { id: id ?? '', schema: Number(schema ?? 0) };
}

/** Thrown for a store that a later release wrote. */
export class NewerLayoutError extends Error {
  constructor(found: number, known: number) {
    super(`the store has layout ${found}, this release supports ${known}`);
    this.name = 'NewerLayoutError';
  }
}
