// Counts the control planes that use a Redis store. Each control plane writes the time every two seconds, and removes its entry when it
// closes.
import type { RedisConnection } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';

/** A process without activity for this long counts as killed, seconds. */
const goneSeconds = 15;

/** Number of control planes that use the store. Removes entries of killed processes. */
export async function countUsers(connection: RedisConnection, keys: RedisKeys): Promise<number> {
  const [seconds] = await connection.time();
  const seen = Object.entries(await connection.hgetall(keys.open));
  const gone = seen.filter(([, at]) => Number(seconds) - Number(at) > goneSeconds).map(([process]) => process);
  if (gone.length > 0) await connection.hdel(keys.open, ...gone);
  return seen.length - gone.length;
}
