// Starts programs through `prlimit` (util-linux), which sets limits and then executes the program with the same process id. Without
// `prlimit`, programs run without limits, and `areLimitsApplied` returns false.
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ProgramLimits } from './program-limits.ts';

/**
 * Maximum number of processes and threads of the server's user, over all programs. It is above any legitimate use, but stops a fork bomb.
 * The kernel does not enforce it for root.
 */
const maxTasksOfUser = 8_192;
/** CPU time between the warning of the kernel (`SIGXCPU`) and `SIGKILL`, seconds. */
const cpuGraceSeconds = 2;

export interface LimitedCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The command that runs `program` within `limits`. Returns the command unchanged without `prlimit`, and for a missing program. The start of
 * a missing program then fails with the usual error.
 */
export function limitedCommand(program: string, args: readonly string[], limits: ProgramLimits): LimitedCommand {
  const prlimit = findProgram('prlimit');
  if (!prlimit || !findProgram(program)) return { program, args };
  return { program: prlimit, args: [...limitOptions(limits, ownHardLimits()), '--', program, ...args] };
}

/** Whether limits apply to programs on this machine. */
export function areLimitsApplied(): boolean {
  return process.platform === 'linux' && findProgram('prlimit') !== undefined;
}

/** Options of `prlimit`. Each limit is at most the hard limit of this process, because only root may raise a hard limit. Pure. */
function limitOptions(limits: ProgramLimits, own: (name: string) => number): string[] {
  const pair = (option: string, name: string, soft: number, hard = soft) =>
    `--${option}=${Math.min(soft, own(name))}:${Math.min(hard, own(name))}`;
  const { memoryBytes, cpuSeconds, fileBytes } = limits;
  return [
    pair('data', 'Max data size', memoryBytes),
    ...(cpuSeconds === undefined ? [] : [pair('cpu', 'Max cpu time', cpuSeconds, cpuSeconds + cpuGraceSeconds)]),
    pair('fsize', 'Max file size', fileBytes),
    pair('nproc', 'Max processes', maxTasksOfUser),
    // No core dump, which could fill the disk.
    '--core=0:0',
  ];
}

let ownLimits: string | undefined;

/** Hard limits of this process by their name in `/proc/self/limits`, read once. */
function ownHardLimits(): (name: string) => number {
  ownLimits ??= readOwnLimits();
  const text = ownLimits;
  return (name) => {
    const [, hard] = new RegExp(`^${name}\\s+\\S+\\s+(\\d+)`, 'm').exec(text) ?? [];
    return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard);
  };
}

function readOwnLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

function findProgram(program: string): string | undefined {
  if (program.includes('/')) return isExecutable(program) ? program : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
