// Operations of the Redis store as atomic scripts; leases, nodes and moves define further scripts. Scripts of an opened store first compare
// the store id, because a process must not write into an emptied Redis.
import { createHash } from 'node:crypto';
import type { RedisConnection } from './redis-connection.ts';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

export const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });

/** Error codes of these scripts. As usual in Redis, the code is the first word of the message. */
export const storeGone = 'STOREGONE';
export const staleWrite = 'STALEWRITE';
const lockLost = 'LOCKLOST';

/** Script part that verifies the store. `KEYS[1]` is the meta hash; `ARGV[1]` is the id of the store that this process opened. */
const guard = `if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return redis.error_reply('${storeGone} the store is empty or another one') end`;

/** A script for the opened store: KEYS meta, …; ARGV id of the store, …. */
export const guarded = (text: string): string => `${guard} ${text}`;

/** Script part that compares revisions. `ARGV[3]` is the expected revision, or empty. */
const compare = `
local before = redis.call('HGET', KEYS[2], ARGV[2])
if ARGV[3] ~= '' then
  local revision = before and redis.sha1hex(before) or 'absent'
  if revision ~= ARGV[3] then return redis.error_reply('${staleWrite} another revision is stored') end
end`;

/** Script part that publishes a change. `ARGV[4]` is the channel; `ARGV[5]` is the message that follows the change number. */
const tell = `redis.call('PUBLISH', ARGV[4], redis.call('HINCRBY', KEYS[1], 'changes', 1) .. ' ' .. ARGV[5])`;

export const scripts = {
  /** KEYS meta, hash; ARGV id, field. */
  readField: script(`${guard} return redis.call('HGET', KEYS[2], ARGV[2])`),
  /** KEYS meta, hash; ARGV id. Returns field, text, field, text … */
  readAll: script(`${guard} return redis.call('HGETALL', KEYS[2])`),
  /** KEYS meta, hash; ARGV id, field, expected, channel, message, text. */
  writeField: script(`${guard} ${compare} redis.call('HSET', KEYS[2], ARGV[2], ARGV[6]) ${tell} return 1`),
  /** KEYS meta, hash; ARGV id, field, expected, channel, message. Returns 1 when the field existed. */
  removeField: script(
    `${guard} ${compare} if not before then return 0 end redis.call('HDEL', KEYS[2], ARGV[2]) ${tell} return 1`,
  ),
  /** KEYS meta, list; ARGV id, text, capacity. */
  append: script(
    `${guard} redis.call('LPUSH', KEYS[2], ARGV[2]) redis.call('LTRIM', KEYS[2], 0, ARGV[3] - 1) return 1`,
  ),
  /** KEYS meta, list; ARGV id, count. */
  newest: script(
    `${guard} if tonumber(ARGV[2]) < 1 then return {} end return redis.call('LRANGE', KEYS[2], 0, ARGV[2] - 1)`,
  ),
  /**
   * KEYS meta, open; ARGV id, process. Records that this process uses the store. Returns the change number, and the error that refuses
   * writes (full, read-only), or ''.
   */
  beat: script(`${guard}
    local written = redis.pcall('HSET', KEYS[2], ARGV[2], redis.call('TIME')[1])
    local refusal = type(written) == 'table' and written.err or ''
    return { tonumber(redis.call('HGET', KEYS[1], 'changes') or '0'), (string.gsub(refusal, '^-', '')) }`),
  /** KEYS lock; ARGV token. */
  unlock: script(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`),
} as const;

/**
 * One step of a migration; fails unless the caller holds the lock. KEYS meta, lock; ARGV token, number of the step, then the arguments of
 * the step.
 */
export function migrationScript(step: string): Script {
  return script(`if redis.call('GET', KEYS[2]) ~= ARGV[1] then return redis.error_reply('${lockLost} another process migrates') end
    ${step} redis.call('HSET', KEYS[1], 'schema', ARGV[2]) return 1`);
}

/** Sends only the digest of a script. Sends the script text if the server does not know the digest. */
export async function runScript(
  connection: RedisConnection,
  { sha, text }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await connection.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    // NOSCRIPT means that the server executed nothing.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return connection.eval(text, keys.length, ...keys, ...args);
  }
}
