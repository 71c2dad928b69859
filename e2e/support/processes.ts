// Finds and ends the processes of one product. All these processes have the data folder in an environment variable.
import { readdirSync, readFileSync } from 'node:fs';
import { isAlive } from '../../bench/lib/process-figures.ts';
import { until } from './until.ts';

/** Process ids of all running programs with this data folder, including orphans. */
export function processesOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).includes(`DATA_DIR=${dataDir}`) && isAlive(pid));
}

/** Kills all programs with this data folder. Resolves when they and the processes in `others` have exited. */
export async function killProcessesOf(dataDir: string, others: readonly number[] = []): Promise<void> {
  // An exiting process still runs, but has no environment variables any more.
  const seen = new Set(others);
  await until('the processes of the data folder end', async () => {
    const left = processesOf(dataDir);
    for (const pid of left) {
      seen.add(pid);
      kill(pid);
    }
    return left.length === 0 && ![...seen].some(isAlive);
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited already.
  }
}

/** Environment variables as `NAME=value`. Empty for a process that has exited or belongs to another user. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Kills a process and all its descendants, like a power failure. Resolves when all have exited. */
export async function killTree(root: number): Promise<void> {
  const pids = treeOf(root);
  for (const pid of pids) kill(pid);
  await until('the processes of the tree end', () => !pids.some(isAlive));
}

function treeOf(root: number): number[] {
  return [root, ...childrenOf(root).flatMap(treeOf)];
}

/** Child processes of all threads: Linux lists the children of each thread separately. */
function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
    return lists.flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number));
  } catch {
    return [];
  }
}
