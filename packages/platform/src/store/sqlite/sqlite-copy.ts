// The store file as source or target of a move.
import type { DatabaseSync } from 'node:sqlite';
import { isCopied, seal, unseal } from '../move/sealed-text.ts';
import type { StoredText, StorePart, StoreTarget } from '../move/store-copy.ts';
import type { ValueCipher } from '../value-cipher.ts';

export function createSqliteCopy(database: DatabaseSync, cipher: ValueCipher): StoreTarget {
  const collections = database.prepare('SELECT DISTINCT collection AS name FROM rows');
  const logs = database.prepare('SELECT DISTINCT log AS name FROM log_entries');
  const named = (kind: 'rows' | 'log', all: readonly Record<string, unknown>[]): StorePart[] =>
    all.map(({ name }) => ({ kind, name: String(name) }));
  return {
    parts: async () => [
      { kind: 'documents', name: '' },
      ...named('rows', collections.all()),
      ...named('log', logs.all()),
    ],
    async read(part) {
      const kept = readPart(database, part).filter(({ id }) => isCopied(part, id));
      return kept.map(({ id, text }) => unseal(cipher, part, id, text));
    },
    async write(part, texts) {
      database.exec('BEGIN IMMEDIATE');
      try {
        writePart(database, cipher, part, texts);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

function readPart(database: DatabaseSync, { kind, name }: StorePart): { id: string; text: string }[] {
  if (kind === 'log') {
    const entries = database.prepare('SELECT value FROM log_entries WHERE log = ? ORDER BY position').all(name);
    return entries.map(({ value }, index) => ({ id: String(index), text: String(value) }));
  }
  const rows =
    kind === 'documents'
      ? database.prepare('SELECT key AS id, value FROM documents').all()
      : database.prepare('SELECT id, value FROM rows WHERE collection = ?').all(name);
  return rows.map(({ id, value }) => ({ id: String(id), text: String(value) }));
}

function writePart(database: DatabaseSync, cipher: ValueCipher, part: StorePart, texts: readonly StoredText[]): void {
  const { kind, name } = part;
  if (kind === 'log') {
    database.prepare('DELETE FROM log_entries WHERE log = ?').run(name);
    const insert = database.prepare('INSERT INTO log_entries (log, value) VALUES (?, ?)');
    for (const { text } of texts) insert.run(name, text);
  } else if (kind === 'rows') {
    database.prepare('DELETE FROM rows WHERE collection = ?').run(name);
    const insert = database.prepare('INSERT INTO rows (collection, id, value) VALUES (?, ?, ?)');
    for (const each of texts) insert.run(name, each.id, seal(cipher, part, each));
  } else {
    for (const { key } of database.prepare('SELECT key FROM documents').all()) {
      if (isCopied(part, String(key))) database.prepare('DELETE FROM documents WHERE key = ?').run(String(key));
    }
    const insert = database.prepare('INSERT INTO documents (key, value) VALUES (?, ?)');
    for (const each of texts) insert.run(each.id, seal(cipher, part, each));
  }
}
