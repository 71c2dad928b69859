// Measures operations of the store: SQLite in the data folder, and a local Redis in each mode of its append-only file.
// Run: node bench/store-times.ts [--delay ms]. The delay is added to every response of Redis, like a network delay.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { pino } from 'pino';
import { z } from 'zod';
import { openStore } from '../packages/platform/src/store/open-store.ts';
import { parseClusterAddress } from '../packages/platform/src/store/redis/cluster-address.ts';
import type { Store } from '../packages/platform/src/store/store.ts';
import { startRedis, testClusterSecret } from '../packages/platform/src/testing/redis-server.ts';
import { startTcpProxy } from '../packages/platform/src/testing/tcp-proxy.ts';

const { values } = parseArgs({ options: { delay: { type: 'string', default: '0' } } });
const delayMs = Number(values.delay);
const rounds = 500;
const rowCount = 1_000;
const text = 'x'.repeat(500);
const document = { key: 'bench', schema: z.string(), empty: '', secret: true };
const rows = { name: 'bench', schema: z.string() };
const log = { name: 'bench', schema: z.string(), capacity: 1_000 };

async function timesOf(work: (i: number) => Promise<unknown>, count = rounds): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await work(i);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(2);
  return `${at(0.5)} / ${at(0.99)}`;
}

async function measure(title: string, store: Store): Promise<void> {
  const collection = store.collection(rows);
  await store.set(document, text);
  const results = {
    'read a document': await timesOf(() => store.get(document)),
    'save a document': await timesOf((i) => store.set(document, `${text}${i}`)),
    'save a row': await timesOf((i) => collection.put(`${i % rowCount}`, text), rowCount),
    'append to a log': await timesOf(() => store.log(log).append(text)),
    'read 1,000 rows': await timesOf(() => collection.entries(), 50),
  };
  for (const [what, times] of Object.entries(results)) console.log(`| ${title} | ${what} | ${times} |`);
}

console.log('| Store | What | p50 / p99, ms |\n| --- | --- | --: |');
const root = await mkdtemp(join(tmpdir(), 'srs-store-times-'));
const place = { folder: await openDataFolder(root), now: new Date(), log: pino({ level: 'silent' }) };
const file = await openStore({ ...place, cluster: undefined });
await measure('SQLite', file.store);
await file.store.close();
for (const flush of ['always', 'everysec']) {
  const redis = await startRedis(['--appendonly', 'yes', '--appendfsync', flush]);
  const proxy = await startTcpProxy(redis.port);
  proxy.delayMs = delayMs;
  const address = parseClusterAddress(delayMs > 0 ? `redis://127.0.0.1:${proxy.port}` : redis.url);
  await rm(join(root, 'config/cluster-store'), { force: true });
  const shared = await openStore({ ...place, cluster: { address, name: 'bench', secret: testClusterSecret } });
  await measure(`Redis, appendfsync ${flush}`, shared.store);
  await shared.store.close();
  await proxy.close();
  await redis.dispose();
}
await rm(root, { recursive: true, force: true });
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
