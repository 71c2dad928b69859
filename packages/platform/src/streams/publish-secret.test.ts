import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@srs-stack/contract';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createAuditTrail } from '../store/audit-trail.ts';
import { migrate } from '../store/sqlite/migrations.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../store/value-cipher.ts';
import { openPublishSecret } from './publish-secret.ts';

it('admits publishers with the last known secret for ten minutes while the store is unavailable, and not longer', async () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  let awayMs = 0;
  const store = { ...createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1))), awayMs: () => awayMs };
  const audit = createAuditTrail({ store, log: pino({ level: 'silent' }), now: () => new Date() });
  const secret = await openPublishSecret({ store, audit });
  const attempt = { stream: 'a', param: `?secret=${secret.current().publish}` };
  for (awayMs of [0, 1, 600_000]) {
    expect(secret.admits(attempt)).toBe(true);
    expect(secret.admits({ stream: 'a', param: '?secret=wrong' })).toBe(false);
  }
  awayMs = 600_001;
  expect(() => secret.admits(attempt)).toThrow(AppError);
  expect(() => secret.admits(attempt)).toThrow('SQLite has been unavailable for more than 10 minutes');
  awayMs = 0;
  expect(secret.admits(attempt)).toBe(true);
  await store.close();
});
