// Schema of the store file, one step per version; `PRAGMA user_version` counts the completed steps. Released steps never change: a new
// requirement is a new step.
import type { DatabaseSync } from 'node:sqlite';

const migrations: readonly string[] = [
  `CREATE TABLE documents (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE rows (collection TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
                      PRIMARY KEY (collection, id)) STRICT, WITHOUT ROWID;
   CREATE TABLE log_entries (position INTEGER PRIMARY KEY AUTOINCREMENT, log TEXT NOT NULL, value TEXT NOT NULL) STRICT;
   CREATE INDEX log_entries_by_log ON log_entries (log, position);`,
];

/** Migrates the file to the newest schema, one transaction per step. Throws NewerSchemaError for a file of a later release. */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  const done = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (done > steps.length) throw new NewerSchemaError(done, steps.length);
  for (const [index, step] of steps.entries()) {
    if (index < done) continue;
    database.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}

/** Thrown for a file that a later release wrote. */
export class NewerSchemaError extends Error {
  constructor(found: number, known: number) {
    super(`the store has schema ${found}, this release supports ${known}`);
    this.name = 'NewerSchemaError';
  }
}
