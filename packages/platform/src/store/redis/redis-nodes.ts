// Nodes of a cluster in Redis: a hash from id to `seen started instance text`. `seen` is a time of the Redis clock, because the clocks of
// nodes may differ. Every read removes expired rows.
import { type NodeTable, type NodeText, type NodeView, nodeGoneMs } from '../node-table.ts';
import type { RedisKeys } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { guarded, script } from './redis-scripts.ts';

const clock = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** Script part that returns the time, whether a newer process owns the row, and id and row of each running node. */
const look = `local answer = { string.format('%.0f', now), taken }
local all = redis.call('HGETALL', KEYS[2])
for i = 1, #all, 2 do
  local seen = tonumber(string.match(all[i + 1], '^%d+') or '0')
  if now - seen > goneMs then redis.pcall('HDEL', KEYS[2], all[i])
  else answer[#answer + 1] = all[i]; answer[#answer + 1] = all[i + 1] end
end
return answer`;

const scripts = {
  /** KEYS meta, nodes; ARGV id of the store, milliseconds until a row expires. */
  look: script(guarded(`${clock} local goneMs = tonumber(ARGV[2]) local taken = 0 ${look}`)),
  /** KEYS meta, nodes; ARGV id of the store, milliseconds until a row expires, id of the node, start of the process, its instance, text. */
  beat: script(
    guarded(`${clock} local goneMs = tonumber(ARGV[2]) local taken = 0
local before = redis.call('HGET', KEYS[2], ARGV[3])
if before then
  local seen, started, instance = string.match(before, '^(%d+) (%d+) (%S+) ')
  if instance and instance ~= ARGV[5] and tonumber(started) > tonumber(ARGV[4]) and now - tonumber(seen) <= goneMs then taken = 1 end
end
if taken == 0 then
  redis.call('HSET', KEYS[2], ARGV[3], string.format('%.0f', now) .. ' ' .. ARGV[4] .. ' ' .. ARGV[5] .. ' ' .. ARGV[6])
end
${look}`),
  ),
  /** KEYS meta, nodes; ARGV id of the store, id of the node, instance. */
  leave: script(
    guarded(`local before = redis.call('HGET', KEYS[2], ARGV[2])
if before and string.match(before, '^%d+ %d+ (%S+) ') == ARGV[3] then redis.call('HDEL', KEYS[2], ARGV[2]) end
return 1`),
  ),
} as const;

export function createRedisNodes(link: RedisLink, keys: RedisKeys): NodeTable {
  const names = [keys.meta, keys.nodes];
  return {
    look: async () => toView(await link.run(scripts.look, names, [nodeGoneMs])),
    beat: async ({ id, instance, startedAtMs, text }) =>
      toView(await link.run(scripts.beat, names, [nodeGoneMs, id, startedAtMs, instance, text])),
    async leave({ id, instance }) {
      await link.run(scripts.leave, names, [id, instance]);
    },
  };
}

function toView(result: unknown): NodeView {
  const [nowMs, taken, ...flat] = result as [string, number, ...string[]];
  const rows = Array.from({ length: flat.length / 2 }, (_, i) => toRow(flat[2 * i] ?? '', flat[2 * i + 1] ?? ''));
  return { nowMs: Number(nowMs), isTaken: taken === 1, rows: rows.filter((row) => row !== undefined) };
}

function toRow(id: string, value: string): NodeText | undefined {
  const [, started = '', instance = '', text = ''] = /^\d+ (\d+) (\S+) (.*)$/s.exec(value) ?? [];
  return started === '' ? undefined : { id, instance, startedAtMs: Number(started), text };
}
