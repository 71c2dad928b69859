// A control plane with one worker. Prints the worker's process id once media flows; tests then kill the control plane.

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { forwardLimits } from '@srs-stack/process/programs/media-limits.ts';
import { migrate } from '../store/sqlite/migrations.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../store/value-cipher.ts';
import { createWorkerRegistry } from '../workers/worker-registry.ts';

const [, , storePath = '', ownerId = ''] = process.argv;
const database = new DatabaseSync(storePath);
migrate(database);
const store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
const log = { debug() {}, info() {}, warn() {}, error() {} };
const registry = createWorkerRegistry({ store, ownerId, log });
await registry.open();
const args = ['-nostdin', '-progress', 'pipe:1', '-re', '-f', 'lavfi', '-i', 'sine', '-f', 'null', '-'];
registry.run('left', async () => ({
  kind: 'run',
  plan: { mayUse: forwardLimits, args, secrets: [], watchesSpeed: false, facts: {} },
}));
while (registry.view('left').state !== 'running') await sleep(20);
process.stdout.write(`${registry.view('left').pid}\n`);
await sleep(600_000);
