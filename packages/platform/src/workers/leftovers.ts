// Ends workers that a killed control plane left behind, before new workers start. Otherwise two workers could run one task. A pid may be
// reused, so a recorded process is ended only if start time and command line match.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Collection, CollectionType } from '../store/store.ts';
import { signalGroup, workerMark } from './launch.ts';
import { findByEnvironment, readCommandLine, readProcessFacts } from './proc.ts';

/** Time between SIGTERM and SIGKILL, milliseconds. */
const leftoverGraceMs = 1_500;
const askEveryMs = 25;

export interface WorkerRecord {
  readonly pid: number;
  readonly startTicks: number;
  readonly command: readonly string[];
}

/** Running workers by id. Encrypted, because a command line contains stream keys. */
export const workerRecords: CollectionType<WorkerRecord> = {
  name: 'workers',
  schema: z.object({ pid: z.number().int(), startTicks: z.number(), command: z.array(z.string()) }),
  secret: true,
};

export interface LeftoversDeps {
  /** Stored worker processes. Undefined if only the environment identifies workers. */
  readonly records: Collection<WorkerRecord> | undefined;
  /** Id in the environment of this installation's workers. */
  readonly ownerId: string;
  readonly log: Log;
}

/** Ends leftover workers and waits for their exit. Resolves with their number. */
export async function endLeftovers({ records, ownerId, log }: LeftoversDeps): Promise<number> {
  const recorded = (await records?.entries()) ?? new Map<string, WorkerRecord>();
  const known = [...recorded.values()].filter(isStillRunning).map(({ pid }) => pid);
  // A process started just before the kill has no record. Its environment identifies the process.
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

/** Compares command lines. An early record may have the command line of the program that sets the limits and then executes the worker. */
function isSameCommand(one: readonly string[], other: readonly string[]): boolean {
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return short.length > 0 && long.slice(-short.length).join('\0') === short.join('\0');
}

function isAlive(pid: number): boolean {
  const facts = readProcessFacts(pid);
  return facts !== undefined && !facts.isZombie;
}
