// The store on Redis or Valkey, shared by several control planes. Documents and rows are hash fields; logs are lists. Each write of a
// document or row notifies other control planes. A write with an expected revision never overwrites a newer write.
import type { Collection, CollectionType, DocumentType, Log, LogType, Store } from '../store.ts';
import type { ValueCipher } from '../value-cipher.ts';
import { createValueCodec, placeOf, revisionOfText, type ValueCodec } from '../value-codec.ts';
import type { RedisKeys } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';
import { scripts } from './redis-scripts.ts';

export interface RedisStoreDeps {
  readonly link: RedisLink;
  readonly keys: RedisKeys;
  readonly cipher: ValueCipher;
}

export function createRedisStore({ link, keys, cipher }: RedisStoreDeps): Store {
  const codec = createValueCodec(cipher);
  const documents = createFields(link, keys, keys.documents);
  const read: Store['read'] = async (type) => {
    const text = await documents.read(type.key);
    const value = text === undefined ? structuredClone(type.empty) : codec.read(type, placeOf.document(type.key), text);
    return { value, revision: revisionOfText(text) };
  };
  return {
    name: link.name,
    read,
    get: async (type) => (await read(type)).value,
    set<T>(type: DocumentType<T>, value: T, expected?: string) {
      const text = codec.write(type, placeOf.document(type.key), value);
      const change = { kind: 'document', key: type.key, revision: revisionOfText(text) } as const;
      return documents.write(type.key, text, expected, change);
    },
    collection: (type) => createCollection(createFields(link, keys, keys.rows(type.name)), codec, type),
    log: (type) => createLog(link, keys, codec, type),
    subscribe: (listener) => link.subscribe(listener),
    awayMs: () => link.awayMs(),
    trouble: () => link.trouble(),
    close: () => link.close(),
  };
}

function createFields(link: RedisLink, keys: RedisKeys, hash: string) {
  const names = [keys.meta, hash];
  return {
    async read(field: string): Promise<string | undefined> {
      return ((await link.run(scripts.readField, names, [field])) as string | null) ?? undefined;
    },
    async readAll(): Promise<[string, string][]> {
      const flat = (await link.run(scripts.readAll, names, [])) as string[];
      return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
    },
    async write<C extends { readonly revision: string }>(
      field: string,
      text: string,
      expected: string = '',
      change: C,
    ) {
      await link.run(scripts.writeField, names, [field, expected, keys.channel, link.messageOf(change), text]);
      return change.revision;
    },
    async remove(field: string, expected: string = '', change: object): Promise<boolean> {
      const args = [field, expected, keys.channel, link.messageOf(change)];
      return (await link.run(scripts.removeField, names, args)) === 1;
    },
  };
}

function createCollection<T>(
  fields: ReturnType<typeof createFields>,
  codec: ValueCodec,
  type: CollectionType<T>,
): Collection<T> {
  const place = (id: string) => placeOf.row(type.name, id);
  const changeOf = (id: string, text: string | undefined) =>
    ({ kind: 'row', collection: type.name, id, revision: revisionOfText(text) }) as const;
  const read: Collection<T>['read'] = async (id) => {
    const text = await fields.read(id);
    return {
      value: text === undefined ? undefined : codec.read(type, place(id), text),
      revision: revisionOfText(text),
    };
  };
  return {
    read,
    get: async (id) => (await read(id)).value,
    put(id, value, expected) {
      const text = codec.write(type, place(id), value);
      return fields.write(id, text, expected, changeOf(id, text));
    },
    remove: (id, expected) => fields.remove(id, expected, changeOf(id, undefined)),
    async entries() {
      const all = await fields.readAll();
      const sorted = all.map(([id, text]) => ({ id, text, bytes: Buffer.from(id) })).sort(byBytes);
      return new Map(sorted.map(({ id, text }) => [id, codec.read(type, place(id), text)]));
    },
  };
}

function createLog<T>(link: RedisLink, keys: RedisKeys, codec: ValueCodec, type: LogType<T>): Log<T> {
  const names = [keys.meta, keys.log(type.name)];
  return {
    async append(value) {
      await link.run(scripts.append, names, [codec.write(type, type.name, value), type.capacity]);
    },
    async newest(count) {
      const texts = (await link.run(scripts.newest, names, [count])) as string[];
      return texts.map((text) => codec.read(type, type.name, text));
    },
  };
}

/** Sort order of SQLite. */
function byBytes(a: { bytes: Buffer }, b: { bytes: Buffer }): number {
  return Buffer.compare(a.bytes, b.bytes);
}
