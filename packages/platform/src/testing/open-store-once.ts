// Opens the store configured in the environment and increments a stored counter. Prints the counter, and whether the Redis client was
// loaded.
import { createRequire } from 'node:module';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { pino } from 'pino';
import { z } from 'zod';
import { readEnv } from '../env.ts';
import { openStore } from '../store/open-store.ts';

const { dataDir, cluster } = readEnv(process.env);
const folder = await openDataFolder(dataDir);
const { store } = await openStore({ folder, cluster, now: new Date(), log: pino({ level: 'silent' }) });
const starts = { key: 'starts', schema: z.number(), empty: 0 };
await store.set(starts, (await store.get(starts)) + 1);
const modules = Object.keys(createRequire(import.meta.url).cache);
const hasClient = modules.some((path) => path.includes('/ioredis/'));
process.stdout.write(JSON.stringify({ starts: await store.get(starts), store: store.name, hasClient }));
await store.close();
