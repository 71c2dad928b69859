// Writes settings as fast as possible until a test kills this process. Prints one line per acknowledged write, which the test compares with
// the stored data.
import { join } from 'node:path';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { z } from 'zod';
import { openEnvFile } from '../store/env-file.ts';
import { openStoreFile } from '../store/open-store.ts';

const folder = await openDataFolder(process.argv[2] as string);
const envFile = openEnvFile(join(folder.config, '.env'));
const { store } = await openStoreFile(folder, new Date());
const schema = z.object({ n: z.number(), filler: z.string() });
const counter = { key: 'counter', schema, empty: { n: 0, filler: '' }, secret: true };
const rows = store.collection({ name: 'rows', schema, secret: true });

for (let n = (await store.get(counter)).n + 1; ; n++) {
  const value = { n, filler: 'x'.repeat(n % 5_000) };
  await envFile.writePassword(`password ${n}`);
  await rows.put(`row-${n % 50}`, value);
  await store.set(counter, value);
  process.stdout.write(`${n}\n`);
}
