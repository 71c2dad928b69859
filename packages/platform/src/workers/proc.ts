// Reads process information from Linux's /proc: start time, command line, resource usage.
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks per second of process times in /proc: 100 on every Linux system (USER_HZ). */
const ticksPerSecond = 100;
const pageBytes = 4_096;

export interface ProcessFacts {
  /** Clock ticks between the boot of the machine and the start of the process; unique together with the pid. */
  readonly startTicks: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly isZombie: boolean;
}

/** Reads data of a process; undefined for an unknown process, or on a system without /proc. */
export function readProcessFacts(pid: number): ProcessFacts | undefined {
  const text = readProc(`${pid}/stat`);
  if (text === undefined) return undefined;
  // proc(5): the second field is the program name in brackets, which may contain spaces. Fields are counted from the last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const number = (position: number) => Number(fields[position - 3] ?? 0);
  return {
    startTicks: number(22),
    cpuMs: ((number(14) + number(15)) * 1_000) / ticksPerSecond,
    rssBytes: number(24) * pageBytes,
    isZombie: fields[0] === 'Z',
  };
}

/** Program and arguments; undefined when the process has exited. */
export function readCommandLine(pid: number): string[] | undefined {
  return readProc(`${pid}/cmdline`)?.split('\0').slice(0, -1);
}

/** Processes of this user whose environment has `name=value`. */
export function findByEnvironment(name: string, value: string): number[] {
  const entry = `${name}=${value}`;
  return processIds().filter((pid) => readProc(`${pid}/environ`)?.split('\0').includes(entry));
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}
