// Ensures that a data folder has one owner: the supervisor of a running server, or a command that requires a stopped server.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from './start-refusal.ts';

/** Entry files of owners in a checkout and in the package. The command line of an owner contains one of these paths. */
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
 * Claims the data folder, so that two processes never write to one store. Returns a function that releases the folder. The claim of a
 * killed process is replaced.
 * @throws StartRefusal when the folder has a running owner.
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

/** On Linux, the command line shows whether this pid was reused by a process that is no owner. */
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
