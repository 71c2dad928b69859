// `npm run rebuild-records`: repairs the table of recordings from the record folder, and the descriptions in the folder from the table.
// Works only while the server of this machine is stopped.
import { join } from 'node:path';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { claimDataFolder } from '@srs-stack/process/data-folder-claim.ts';
import { createLogger } from '@srs-stack/process/logger.ts';
import { loadNodeId } from '@srs-stack/process/node-id.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { readCommandEnv } from './env.ts';
import { recordCollection } from './recording/record-facts.ts';
import { openRecordFolder } from './recording/record-folder.ts';
import { rebuildRecords } from './recording/record-rebuild.ts';
import { openStore } from './store/open-store.ts';

async function main(): Promise<void> {
  const { dataDir, cluster } = readCommandEnv(process.env);
  const now = new Date();
  const log = await createLogger({ process: 'rebuild-records', level: 'warn' });
  const dataFolder = await openDataFolder(dataDir);
  // Fails while the server of this machine is running. A store in Redis does not detect this, because several processes may open it.
  process.once('exit', claimDataFolder(dataDir));
  const { store } = await openStore({ folder: dataFolder, cluster, now, log });
  try {
    const folder = await openRecordFolder(join(dataDir, 'record'));
    const result = await rebuildRecords(folder, store.collection(recordCollection), {
      now,
      nodeId: await loadNodeId(dataDir),
    });
    const { recordings, added, removed, unfinished } = result;
    process.stdout.write(
      `${recordings} recordings in ${folder.root}: ${added} added to the table, ${removed} rows without files removed, ${unfinished} to be finished at the next start.\n`,
    );
  } finally {
    await store.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`srs-stack rebuild-records: ${error instanceof StartRefusal ? error.message : error}\n`);
  process.exit(1);
});
