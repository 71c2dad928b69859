// One owner for a data folder: the supervisor of a running server, or a command that needs the server stopped.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from './start-refusal.ts';

/** Command lines of owners hold one of these: in a checkout, and in the packed product. */
const ownerEntries = [
  'packages/stack/src/main.ts',
  'bin/srs-stack',
  'servers/stack.js',
  'packages/platform/src/move-store.ts',
  'servers/move-store.js',
  'packages/platform/src/rebuild-records.ts',
  'servers/rebuild-records.js',
];

/**
 * Claims the data folder for this process, so that two never write to one store. Returns the function that gives
 * it back. Throws `StartRefusal` when a live owner holds it; a claim left by a killed one is taken over.
 */
export function claimDataFolder(dataDir: string): () => void {
  const claim = join(dataDir, 'run', 'supervisor.pid');
  const holder = Number.parseInt(readIfThere(claim), 10);
  if (holder !== process.pid && isOwner(holder)) {
    throw new StartRefusal(`The data folder ${dataDir} is already used by a running server (process ${holder}).`);
  }
  writeFileSync(claim, `${process.pid}\n`);
  return () => rmSync(claim, { force: true });
}

/** On Linux the command line tells an owner from a foreign process that got the old number. */
function isOwner(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const commandLine = readIfThere(`/proc/${pid}/cmdline`);
  return process.platform !== 'linux' || ownerEntries.some((entry) => commandLine.includes(entry));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
