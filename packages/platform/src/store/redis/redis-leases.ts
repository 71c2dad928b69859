// Task leases in Redis: a hash from task to `<holder>:<fence> <beat> <node> <place> <pid> <startTicks>`. Rows do not expire. A process that
// wants a task measures on its own clock how long the row stays unchanged: the clocks of servers may differ.
import {
  type LeaseOwner,
  type LeaseRow,
  type LeaseTable,
  type LeaseTaken,
  type LeaseView,
  sought,
} from '../lease-table.ts';
import type { ValueCipher } from '../value-cipher.ts';
import type { LeaseKeys } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { guarded, script } from './redis-scripts.ts';

/**
 * Script part without effect. A full Redis refuses scripts that begin with a write, but accepts scripts that begin with a deletion. This
 * part comes first, so that leases are renewed even then.
 */
const letThrough = (key: string) => `redis.call('HDEL', ${key}, '')`;

const scripts = {
  /** KEYS meta, rows, restarts, offers, statuses; ARGV id of the store, holder, node, renewals, offers (both JSON). */
  exchange: script(
    guarded(`${letThrough('KEYS[2]')}
local renewed = {}
for _, each in ipairs(cjson.decode(ARGV[4])) do
  local row = redis.call('HGET', KEYS[2], each[1])
  local who, beat, rest = string.match(row or '', '^(%S+) (%d+) (.*)$')
  if who == ARGV[2] .. ':' .. each[2] then
    redis.call('HSET', KEYS[2], each[1], who .. ' ' .. string.format('%.0f', tonumber(beat) + 1) .. ' ' .. rest)
    if each[3] then redis.call('HSET', KEYS[5], each[1], each[3]) end
    if each[4] then redis.call('HSETNX', KEYS[4], each[1], '${sought}') else redis.call('HDEL', KEYS[4], each[1]) end
    renewed[#renewed + 1] = each[1]
  end
end
for _, id in ipairs(cjson.decode(ARGV[5])) do
  if redis.call('HGET', KEYS[4], id) == '${sought}' then redis.call('HSET', KEYS[4], id, ARGV[3]) end
end
return { renewed, redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4]) }`),
  ),
  /** KEYS meta, rows, restarts, offers, fences; ARGV id of the store, task, row as seen, holder, node and the remaining fields. */
  take: script(
    guarded(`${letThrough('KEYS[2]')}
if (redis.call('HGET', KEYS[2], ARGV[2]) or '') ~= ARGV[3] then return { 0, 0 } end
local fence = redis.call('INCR', KEYS[5])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[4] .. ':' .. fence .. ' 0 ' .. ARGV[5])
redis.call('HDEL', KEYS[4], ARGV[2])
return { fence, tonumber(redis.call('HGET', KEYS[3], ARGV[2]) or '0') }`),
  ),
  /** KEYS meta, rows, offers, statuses; ARGV id of the store, task, `<holder>:<fence>`. */
  release: script(
    guarded(`local row = redis.call('HGET', KEYS[2], ARGV[2])
if not row or string.match(row, '^(%S+) ') ~= ARGV[3] then return 0 end
redis.call('HDEL', KEYS[2], ARGV[2])
redis.call('HDEL', KEYS[3], ARGV[2])
redis.call('HDEL', KEYS[4], ARGV[2])
return 1`),
  ),
  /** KEYS meta, restarts; ARGV id of the store, task. */
  requestRestart: script(guarded(`return redis.call('HINCRBY', KEYS[2], ARGV[2], 1)`)),
  /** KEYS meta, statuses; ARGV id of the store. */
  statuses: script(guarded(`return redis.call('HGETALL', KEYS[2])`)),
} as const;

export interface RedisLeasesDeps {
  readonly link: RedisLink;
  readonly meta: string;
  readonly keys: LeaseKeys;
  readonly cipher: ValueCipher;
}

export function createRedisLeases({ link, meta, keys, cipher }: RedisLeasesDeps): LeaseTable {
  const { rows, restarts, offers, statuses, fences } = keys;
  const placeOf = (id: string) => `lease-status:${id}`;
  const seal = (id: string, text: string | undefined) => text !== undefined && cipher.encrypt(placeOf(id), text);
  return {
    async exchange({ holder, node }, renewals, offered): Promise<LeaseView> {
      const list = renewals.map(({ id, fence, status, seeks }) => [id, String(fence), seal(id, status), seeks]);
      const names = [meta, rows, restarts, offers, statuses];
      const args = [holder, node, JSON.stringify(list), JSON.stringify(offered)];
      return toView(await link.run(scripts.exchange, names, args));
    },
    async take(owner, id, seen): Promise<LeaseTaken | undefined> {
      const { holder, node, place, pid, startTicks } = owner;
      const args = [id, seen, holder, `${node} ${place} ${pid} ${startTicks}`];
      const result = await link.run(scripts.take, [meta, rows, restarts, offers, fences], args);
      const [fence = 0, restartCount = 0] = result as number[];
      return fence > 0 ? { fence, restarts: restartCount } : undefined;
    },
    async release({ holder }, id, fence) {
      await link.run(scripts.release, [meta, rows, offers, statuses], [id, `${holder}:${fence}`]);
    },
    async requestRestart(id) {
      await link.run(scripts.requestRestart, [meta, restarts], [id]);
    },
    async statuses() {
      const all = pairsOf((await link.run(scripts.statuses, [meta, statuses], [])) as string[]);
      return new Map(all.map(([id, text]) => [id, cipher.decrypt(placeOf(id), text)]));
    },
  };
}

function toView(result: unknown): LeaseView {
  const [renewed = [], rows = [], restarts = [], offers = []] = result as string[][];
  return {
    renewed: new Set(renewed),
    rows: new Map(pairsOf(rows).map(([id, text]) => [id, toRow(text)])),
    restarts: new Map(pairsOf(restarts).map(([id, count]) => [id, Number(count)])),
    offers: new Map(pairsOf(offers)),
  };
}

const form = /^(\S+):(\d+) \d+ (\S+) (\S+) (\d+) (\d+)$/;

/** Parses a row. A row in an unknown format, e.g. of another release, counts as held. */
function toRow(text: string): LeaseRow {
  const [, holder = '', fence = '0', node = '', place = '', pid = '0', startTicks = '0'] = form.exec(text) ?? [];
  const owner: LeaseOwner = { holder, node, place, pid: Number(pid), startTicks: Number(startTicks) };
  return { ...owner, fence: Number(fence), text };
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
}
