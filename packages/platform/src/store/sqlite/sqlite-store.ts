// The embedded store on node:sqlite. Statements are prepared once; a read costs microseconds, a write one flush.
import type { DatabaseSync } from 'node:sqlite';
import type { z } from 'zod';
import type { Collection, CollectionType, DocumentType, Log, LogType, Store } from '../store.ts';
import type { ValueCipher } from '../value-cipher.ts';

export function createSqliteStore(database: DatabaseSync, cipher: ValueCipher): Store {
  const codec = createCodec(cipher);
  const select = database.prepare('SELECT value FROM documents WHERE key = ?');
  const upsert = database.prepare(
    'INSERT INTO documents (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    async get<T>(type: DocumentType<T>): Promise<T> {
      const row = select.get(type.key);
      return row ? codec.read(type, `document/${type.key}`, String(row.value)) : structuredClone(type.empty);
    },
    async set<T>(type: DocumentType<T>, value: T): Promise<void> {
      upsert.run(type.key, codec.write(type, `document/${type.key}`, value));
    },
    collection: (type) => createCollection(database, codec, type),
    log: (type) => createLog(database, codec, type),
    async close() {
      if (database.isOpen) database.close();
    },
  };
}

interface Codec {
  read<T>(type: { schema: z.ZodType<T>; secret?: boolean }, place: string, text: string): T;
  write<T>(type: { schema: z.ZodType<T>; secret?: boolean }, place: string, value: T): string;
}

function createCodec(cipher: ValueCipher): Codec {
  return {
    read: (type, place, text) => type.schema.parse(JSON.parse(type.secret ? cipher.decrypt(place, text) : text)),
    write: (type, place, value) => {
      const text = JSON.stringify(value);
      return type.secret ? cipher.encrypt(place, text) : text;
    },
  };
}

function createCollection<T>(database: DatabaseSync, codec: Codec, type: CollectionType<T>): Collection<T> {
  const place = (id: string) => `row/${type.name}/${id}`;
  const select = database.prepare('SELECT value FROM rows WHERE collection = ? AND id = ?');
  const selectAll = database.prepare('SELECT id, value FROM rows WHERE collection = ? ORDER BY id');
  const upsert = database.prepare(
    `INSERT INTO rows (collection, id, value) VALUES (?, ?, ?)
     ON CONFLICT (collection, id) DO UPDATE SET value = excluded.value`,
  );
  const remove = database.prepare('DELETE FROM rows WHERE collection = ? AND id = ?');
  return {
    async get(id) {
      const row = select.get(type.name, id);
      return row ? codec.read(type, place(id), String(row.value)) : undefined;
    },
    async put(id, value) {
      upsert.run(type.name, id, codec.write(type, place(id), value));
    },
    async remove(id) {
      return remove.run(type.name, id).changes > 0;
    },
    async entries() {
      const rows = selectAll.all(type.name).map((row) => [String(row.id), String(row.value)] as const);
      return new Map(rows.map(([id, value]) => [id, codec.read(type, place(id), value)]));
    },
  };
}

function createLog<T>(database: DatabaseSync, codec: Codec, type: LogType<T>): Log<T> {
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

/** SQLite has rolled back by itself after a full disk or an I/O error; a second time would hide the cause of the first. */
function rollBack(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}
