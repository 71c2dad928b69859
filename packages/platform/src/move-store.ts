// `npm run move-store -- --to redis://…` copies the store of the data folder into Redis or Valkey; `-- --to sqlite` copies back. Stop the
// server first. The source is unchanged. Run the command again to continue an interrupted copy.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { type DataFolder, openDataFolder } from '@srs-stack/process/data-folder.ts';
import { claimDataFolder } from '@srs-stack/process/data-folder-claim.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { readCommandEnv } from './env.ts';
import type { CopyResult } from './store/move/store-copy.ts';
import { clusterStoreFileName, keyFileName, storeFileName } from './store/open-store.ts';
import type { ClusterSettings } from './store/redis/open-redis-store.ts';
import { moveIntoRedis, moveOutOfRedis } from './store/redis/redis-move.ts';
import { openFileToFill, openFileToLeave } from './store/sqlite/sqlite-move.ts';
import { openKeyFile } from './store/value-cipher.ts';

const usage = `Usage: npm run move-store -- --to redis://host:port [--replace]
       npm run move-store -- --to sqlite [--from redis://host:port] [--replace]
Reads CLUSTER_SECRET, and without --from also CLUSTER_URL, from the environment or config/.env.`;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { to, from, replace } = readArguments();
  const isIntoRedis = to !== 'sqlite';
  const url = isIntoRedis ? to : from;
  const { dataDir, cluster } = readCommandEnv(process.env, url === undefined ? {} : { CLUSTER_URL: url });
  if (!cluster) throw new StartRefusal('CLUSTER_URL is not set: pass the address of Redis with --from');
  const folder = await openDataFolder(dataDir);
  const release = claimDataFolder(dataDir);
  try {
    await (isIntoRedis ? intoRedis : outOfRedis)(folder, cluster, replace);
  } finally {
    release();
  }
}

async function intoRedis(folder: DataFolder, cluster: ClusterSettings, replaces: boolean): Promise<void> {
  const now = new Date();
  const path = join(folder.root, storeFileName);
  const source = await openFileToLeave(path, await openKeyFile(join(folder.config, keyFileName)), now);
  try {
    const { id, ...result } = await moveIntoRedis(source.copy, cluster, { now, replaces });
    await writeFileAtomically(join(folder.config, clusterStoreFileName), `${id}\n`, 0o600);
    sayResult(result, `${path} to ${cluster.address.shown}`);
    say(`${path} is unchanged. Set CLUSTER_URL and CLUSTER_SECRET (in ${folder.config}/.env), then start the server.`);
  } finally {
    await source.close();
  }
}

async function outOfRedis(folder: DataFolder, cluster: ClusterSettings, replaces: boolean): Promise<void> {
  const path = join(folder.root, storeFileName);
  const key = await openKeyFile(join(folder.config, keyFileName));
  const target = await openFileToFill(path, key, { now: new Date(), replaces });
  try {
    const result = await moveOutOfRedis(target.copy, cluster);
    const kept = await target.takePlace();
    sayResult(result, `${cluster.address.shown} to ${path}`);
    if (kept) say(`The previous store was renamed to ${kept}.`);
    say(
      `${cluster.address.shown} is unchanged. Remove CLUSTER_URL (from ${folder.config}/.env), then start the server.`,
    );
  } finally {
    await target.close();
  }
}

function sayResult({ content, foundParts }: CopyResult, way: string): void {
  const { documents, rows, logEntries, digest } = content;
  say(`Copied from ${way}: ${documents} documents, ${rows} rows, ${logEntries} log entries.`);
  if (foundParts > 0) say(`${foundParts} parts had already been copied by an interrupted move.`);
  say(`Both stores have the same content: SHA-256 ${digest}.`);
}

function readArguments(): { to: string; from: string | undefined; replace: boolean } {
  const options = { to: { type: 'string' }, from: { type: 'string' }, replace: { type: 'boolean' } } as const;
  try {
    const { to, from, replace = false } = parseArgs({ options }).values;
    if (to !== undefined && (to === 'sqlite' || from === undefined)) return { to, from, replace };
  } catch {}
  throw new StartRefusal(usage);
}

main().catch((error: unknown) => {
  const message = error instanceof StartRefusal ? error.message : `nothing was moved: ${(error as Error).message}`;
  process.stderr.write(`srs-stack move-store: ${message}\n`);
  process.exit(1);
});
