import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';

const dataFolders = ['config', 'run', 'hls'];

/** Creates the data folder and checks that it is writable. @throws StartRefusal for an unwritable folder. */
export function prepareDataFolder(dataDir: string): void {
  try {
    for (const folder of dataFolders) mkdirSync(join(dataDir, folder), { recursive: true });
    const probe = join(dataDir, 'run', `.write-probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
    for (const folder of dataFolders) accessSync(join(dataDir, folder), constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new StartRefusal(
      `The data folder ${dataDir} cannot be written (${reason}). Make it writable or set DATA_DIR to another folder.`,
    );
  }
}
