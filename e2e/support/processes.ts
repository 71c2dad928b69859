// The processes of one product, found by the data folder in their environment, and the end of all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { isAlive } from '../../bench/lib/process-figures.ts';
import { until } from './until.ts';

/** Process ids of everything that was started for this data folder and still runs, whoever started it. */
export function processesOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).includes(`DATA_DIR=${dataDir}`) && isAlive(pid));
}

/** Ends by SIGKILL what still runs for this data folder; resolves when nothing does, nor any of `others`, which were started for it. */
export async function killProcessesOf(dataDir: string, others: readonly number[] = []): Promise<void> {
  // One that is ending has no environment any more, and still runs.
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
    // It has ended by itself.
  }
}

/** `NAME=value` of each variable it was started with; none of a process that is gone or somebody else's. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Ends by SIGKILL a process and everything that was started by it, as when its machine loses power; resolves when nothing is left. */
export async function killTree(root: number): Promise<void> {
  const pids = treeOf(root);
  for (const pid of pids) kill(pid);
  await until('the processes of the tree end', () => !pids.some(isAlive));
}

function treeOf(root: number): number[] {
  return [root, ...childrenOf(root).flatMap(treeOf)];
}

/** Of all its threads: each lists what it has started. */
function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
    return lists.flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number));
  } catch {
    return [];
  }
}
