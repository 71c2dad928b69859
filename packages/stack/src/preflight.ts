// What must be true before the servers are started. Each step either makes it so or throws one clear sentence.
import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';

/** Folders every part of the product may expect inside the data folder. */
const dataFolders = ['config', 'run', 'hls'];

/** Creates the data folder and proves that it can be written. Throws `StartRefusal` when not. */
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

/**
 * Claims the data folder for this supervisor, so that two never write to one store. Returns the function that gives
 * it back. Throws `StartRefusal` when a live supervisor holds it; a claim left by a killed one is taken over.
 */
export function claimDataFolder(dataDir: string): () => void {
  const claim = join(dataDir, 'run', 'supervisor.pid');
  const holder = Number.parseInt(readIfThere(claim), 10);
  if (holder !== process.pid && isSupervisor(holder)) {
    throw new StartRefusal(`The data folder ${dataDir} is already used by a running server (process ${holder}).`);
  }
  writeFileSync(claim, `${process.pid}\n`);
  return () => rmSync(claim, { force: true });
}

/** On Linux the command line tells a supervisor from a foreign process that got the old number. */
function isSupervisor(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || readIfThere(`/proc/${pid}/cmdline`).includes('packages/stack/src/main.ts');
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
