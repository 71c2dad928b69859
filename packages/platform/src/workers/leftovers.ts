// Ends worker processes that a killed control plane left behind, before new ones start, so that there are neither orphans nor duplicates. A
// recorded process is ended only if its start time and command line still match, because its pid may be reused.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Collection, CollectionType } from '../store/store.ts';
import { signalGroup, workerMark } from './launch.ts';
import { findByEnvironment, readCommandLine, readProcessFacts } from './proc.ts';

/** Time between the stop request and the kill, milliseconds. */
const leftoverGraceMs = 1_500;
const askEveryMs = 25;

export interface WorkerRecord {
  readonly pid: number;
  readonly startTicks: number;
  /** Program and arguments. */
  readonly command: readonly string[];
}

/** Running workers by id. The collection is encrypted, because the command line contains stream keys. */
export const workerRecords: CollectionType<WorkerRecord> = {
  name: 'workers',
  schema: z.object({ pid: z.number().int(), startTicks: z.number(), command: z.array(z.string()) }),
  secret: true,
};

export interface LeftoversDeps {
  /** Stored worker processes; undefined when processes are found only by the mark in their environment. */
  readonly records: Collection<WorkerRecord> | undefined;
  /** Value of the mark in the environment of this installation's workers. */
  readonly ownerId: string;
  readonly log: Log;
}

/** Ends the processes; resolves with their number when they have exited. */
export async function endLeftovers({ records, ownerId, log }: LeftoversDeps): Promise<number> {
  const recorded = (await records?.entries()) ?? new Map<string, WorkerRecord>();
  const known = [...recorded.values()].filter(isStillRunning).map(({ pid }) => pid);
  // A process started just before the kill has no record yet; its environment identifies it.
  const pids = [...new Set([...known, ...findByEnvironment(workerMark, ownerId)])];
  for (const pid of pids) signalGroup(pid, 'SIGTERM');
  const deadline = performance.now() + leftoverGraceMs;
  while (pids.some(isAlive) && performance.now() < deadline) await sleep(askEveryMs);
  for (const pid of pids.filter(isAlive)) signalGroup(pid, 'SIGKILL');
  while (pids.some(isAlive) && performance.now() < deadline + leftoverGraceMs) await sleep(askEveryMs);
  for (const id of recorded.keys()) await records?.remove(id);
  if (pids.length > 0) log.warn({ pids }, 'workers that an earlier control plane left running were ended');
  return pids.length;
}

function isStillRunning({ pid, startTicks, command }: WorkerRecord): boolean {
  const facts = readProcessFacts(pid);
  if (!facts || facts.isZombie || facts.startTicks !== startTicks) return false;
  return isSameCommand(readCommandLine(pid) ?? [], command);
}

/**
 * Compares two command lines. An early record may contain the command line of the program that sets the limits and then executes the
 * worker.
 */
function isSameCommand(one: readonly string[], other: readonly string[]): boolean {
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return short.length > 0 && long.slice(-short.length).join('\0') === short.join('\0');
}

function isAlive(pid: number): boolean {
  const facts = readProcessFacts(pid);
  return facts !== undefined && !facts.isZombie;
}
