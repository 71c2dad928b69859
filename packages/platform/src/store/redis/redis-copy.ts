// A Redis store as source or target of a move. A copy uses separate key names in the slot of the store, then replaces the store in one
// step.
import { Cluster } from 'ioredis';
import { isCopied, seal, unseal } from '../move/sealed-text.ts';
import type { StoredText, StorePart, StoreTarget } from '../move/store-copy.ts';
import type { ValueCipher } from '../value-cipher.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';
import { runScript, type Script, script } from './redis-scripts.ts';

/** Number of texts per command; limits a command to a few MB. */
const batchSize = 500;
const scanCount = 1_000;

export function createRedisCopy(connection: RedisConnection, keys: RedisKeys, cipher: ValueCipher): StoreTarget {
  const keyOf = ({ kind, name }: StorePart) => {
    if (kind === 'documents') return keys.documents;
    return kind === 'rows' ? keys.rows(name) : keys.log(name);
  };
  return {
    async parts() {
      const found = await findKeys(connection, keys.prefix);
      const named = (kind: 'rows' | 'log', before: string): StorePart[] =>
        found.flatMap((key) => (key.startsWith(before) ? [{ kind, name: key.slice(before.length) }] : []));
      return [{ kind: 'documents', name: '' }, ...named('rows', keys.rows('')), ...named('log', keys.log(''))];
    },
    async read(part) {
      if (part.kind === 'log') {
        const newestFirst = await connection.lrange(keyOf(part), 0, -1);
        return newestFirst.reverse().map((text, index) => unseal(cipher, part, String(index), text));
      }
      const kept = Object.entries(await connection.hgetall(keyOf(part))).filter(([id]) => isCopied(part, id));
      return kept.map(([id, text]) => unseal(cipher, part, id, text));
    },
    async write(part, texts) {
      const key = keyOf(part);
      const own = part.kind === 'documents' ? await connection.hgetall(key) : {};
      await connection.del(key);
      const kept = Object.entries(own).filter(([id]) => !isCopied(part, id));
      if (kept.length > 0) await connection.hset(key, ...kept.flat());
      for (const batch of batches(texts)) {
        if (part.kind === 'log') await connection.lpush(key, ...batch.map((each) => each.text));
        else await connection.hset(key, ...batch.flatMap((each) => [each.id, seal(cipher, part, each)]));
      }
    },
  };
}

function batches(texts: readonly StoredText[]): StoredText[][] {
  const count = Math.ceil(texts.length / batchSize);
  return Array.from({ length: count }, (_, i) => texts.slice(i * batchSize, (i + 1) * batchSize));
}

/** KEYS keys to remove, then pairs of old and new names; ARGV number of keys to remove. */
const takePlaceScript: Script = script(`
local removed = tonumber(ARGV[1])
for i = 1, removed do redis.call('DEL', KEYS[i]) end
for i = removed + 1, #KEYS, 2 do redis.call('RENAME', KEYS[i], KEYS[i + 1]) end
return 1`);

/** Replaces the store with the copy. */
export async function takePlace(connection: RedisConnection, from: RedisKeys, to: RedisKeys): Promise<void> {
  const removed = await findKeys(connection, to.prefix);
  const moved = await findKeys(connection, from.prefix);
  const pairs = moved.flatMap((key) => [key, to.prefix + key.slice(from.prefix.length)]);
  await runScript(connection, takePlaceScript, [...removed, ...pairs], [removed.length]);
}

/** Finds all keys with a prefix. Compares prefixes here: a Redis pattern would interpret braces and brackets in names. */
export async function findKeys(connection: RedisConnection, prefix: string): Promise<string[]> {
  const found = new Set<string>();
  for (const node of connection instanceof Cluster ? connection.nodes('master') : [connection]) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', 'srs-stack:*', 'COUNT', scanCount);
      for (const key of keys) if (key.startsWith(prefix)) found.add(key);
      cursor = next;
    } while (cursor !== '0');
  }
  return [...found];
}
