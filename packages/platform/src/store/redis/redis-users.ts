// Which control planes have a store in Redis open: each tells the time every two seconds, and takes itself out when it closes.
import type { RedisConnection } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';

/** Not seen for this long: killed, seconds. */
const goneSeconds = 15;

/** Their number. Those that were killed are taken out. */
export async function countUsers(connection: RedisConnection, keys: RedisKeys): Promise<number> {
  const [seconds] = await connection.time();
  const seen = Object.entries(await connection.hgetall(keys.open));
  const gone = seen.filter(([, at]) => Number(seconds) - Number(at) > goneSeconds).map(([process]) => process);
  if (gone.length > 0) await connection.hdel(keys.open, ...gone);
  return seen.length - gone.length;
}
