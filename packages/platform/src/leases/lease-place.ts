// Detects that a former holder of a lease has ended, if the holder ran on this machine and in this container.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import type { LeaseOwner, LeaseRow } from '../store/lease-table.ts';

interface ProcessFacts {
  readonly startTicks: number;
  readonly isZombie: boolean;
}

export type ReadProcess = (pid: number) => ProcessFacts | undefined;

/** Boot and PID namespace of this process. Process ids are comparable only if both are equal (pid_namespaces(7)). */
function placeOfThisProcess(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const names = readlinkSync('/proc/self/ns/pid');
    return createHash('sha256').update(`${boot} ${names}`).digest('hex').slice(0, 16);
  } catch {
    return randomUUID();
  }
}

/** Describes this process as holder of leases. */
export function thisOwner(node: string, readProcess: ReadProcess): LeaseOwner {
  const startTicks = readProcess(process.pid)?.startTicks ?? 0;
  return { holder: randomUUID(), node, place: placeOfThisProcess(), pid: process.pid, startTicks };
}

/**
 * True when the holder was an earlier process of this node on this machine and has ended. Its programs have also ended, because a node
 * stops leftover programs before taking leases.
 */
export function hasEnded(own: LeaseOwner, row: LeaseRow, readProcess: ReadProcess): boolean {
  if (row.node !== own.node || row.place !== own.place) return false;
  const facts = readProcess(row.pid);
  return facts === undefined || facts.isZombie || facts.startTicks !== row.startTicks;
}
