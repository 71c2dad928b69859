// The local store on node:sqlite, with prepared statements: a read takes microseconds, a write one flush. Compare-and-set needs no
// transaction, because only this process has the file open.
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '@srs-stack/contract';
import type { Collection, CollectionType, DocumentType, Log, LogType, Store } from '../store.ts';
import type { ValueCipher } from '../value-cipher.ts';
import { createValueCodec, placeOf, revisionOfText, type ValueCodec } from '../value-codec.ts';

export function createSqliteStore(database: DatabaseSync, cipher: ValueCipher): Store {
  const codec = createValueCodec(cipher);
  const select = database.prepare('SELECT value FROM documents WHERE key = ?');
  const upsert = database.prepare(
    'INSERT INTO documents (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const textOf = (key: string) => textIn(select.get(key));
  const read: Store['read'] = async (type) => {
    const text = textOf(type.key);
    const value = text === undefined ? structuredClone(type.empty) : codec.read(type, placeOf.document(type.key), text);
    return { value, revision: revisionOfText(text) };
  };
  return {
    name: 'SQLite',
    read,
    get: async (type) => (await read(type)).value,
    async set<T>(type: DocumentType<T>, value: T, expected?: string): Promise<string> {
      requireText(expected, () => textOf(type.key));
      const text = codec.write(type, placeOf.document(type.key), value);
      upsert.run(type.key, text);
      return revisionOfText(text);
    },
    collection: (type) => createCollection(database, codec, type),
    log: (type) => createLog(database, codec, type),
    subscribe: () => () => undefined,
    awayMs: () => 0,
    trouble: () => undefined,
    async close() {
      if (database.isOpen) database.close();
    },
  };
}

function createCollection<T>(database: DatabaseSync, codec: ValueCodec, type: CollectionType<T>): Collection<T> {
  const place = (id: string) => placeOf.row(type.name, id);
  const select = database.prepare('SELECT value FROM rows WHERE collection = ? AND id = ?');
  const selectAll = database.prepare('SELECT id, value FROM rows WHERE collection = ? ORDER BY id');
  const upsert = database.prepare(
    `INSERT INTO rows (collection, id, value) VALUES (?, ?, ?)
     ON CONFLICT (collection, id) DO UPDATE SET value = excluded.value`,
  );
  const remove = database.prepare('DELETE FROM rows WHERE collection = ? AND id = ?');
  const textOf = (id: string) => textIn(select.get(type.name, id));
  const read: Collection<T>['read'] = async (id) => {
    const text = textOf(id);
    const value = text === undefined ? undefined : codec.read(type, place(id), text);
    return { value, revision: revisionOfText(text) };
  };
  return {
    read,
    get: async (id) => (await read(id)).value,
    async put(id, value, expected) {
      requireText(expected, () => textOf(id));
      const text = codec.write(type, place(id), value);
      upsert.run(type.name, id, text);
      return revisionOfText(text);
    },
    async remove(id, expected) {
      requireText(expected, () => textOf(id));
      return remove.run(type.name, id).changes > 0;
    },
    async entries() {
      const rows = selectAll.all(type.name).map((row) => [String(row.id), String(row.value)] as const);
      return new Map(rows.map(([id, value]) => [id, codec.read(type, place(id), value)]));
    },
  };
}

function createLog<T>(database: DatabaseSync, codec: ValueCodec, type: LogType<T>): Log<T> {
  const insert = database.prepare('INSERT INTO log_entries (log, value) VALUES (?, ?)');
  const trim = database.prepare(
    `DELETE FROM log_entries WHERE log = ?1 AND position <=
     (SELECT position FROM log_entries WHERE log = ?1 ORDER BY position DESC LIMIT 1 OFFSET ?2)`,
  );
  const select = database.prepare('SELECT value FROM log_entries WHERE log = ? ORDER BY position DESC LIMIT ?');
  return {
    async append(value) {
      database.exec('BEGIN IMMEDIATE');
      try {
        insert.run(type.name, codec.write(type, type.name, value));
        trim.run(type.name, type.capacity);
        database.exec('COMMIT');
      } catch (error) {
        rollBack(database);
        throw error;
      }
    },
    async newest(count) {
      return select.all(type.name, count).map((row) => codec.read(type, type.name, String(row.value)));
    },
  };
}

function textIn(row: Record<string, unknown> | undefined): string | undefined {
  return row && String(row.value);
}

function requireText(expected: string | undefined, current: () => string | undefined): void {
  if (expected !== undefined && expected !== revisionOfText(current())) throw new AppError('settingsChanged');
}

/** SQLite itself rolls back after a full disk or an I/O error. A second rollback would hide the cause. */
function rollBack(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}
