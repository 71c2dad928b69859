// Puts `prlimit` of util-linux in front of a program: it sets the limits for itself, then becomes the program, with the same
// process id. Where it is missing the program runs without limits, and `areLimitsApplied` says so.
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ProgramLimits } from './program-limits.ts';

/** Most processes and threads of the user that runs the server, by all programs together: no limit of honest work, an end to a bomb of forks. Not held for root. */
const maxTasksOfUser = 8_192;
/** Between the warning of the kernel (`SIGXCPU`) and the end (`SIGKILL`), seconds on processors. */
const cpuGraceSeconds = 2;

export interface LimitedCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The command that runs `program` within `limits`; the command itself when `prlimit` or the program is not installed, so that
 * starting it fails as it always does.
 */
export function limitedCommand(program: string, args: readonly string[], limits: ProgramLimits): LimitedCommand {
  const prlimit = findProgram('prlimit');
  if (!prlimit || !findProgram(program)) return { program, args };
  return { program: prlimit, args: [...limitOptions(limits, ownHardLimits()), '--', program, ...args] };
}

/** Whether programs are started within limits on this machine. */
export function areLimitsApplied(): boolean {
  return process.platform === 'linux' && findProgram('prlimit') !== undefined;
}

/** A limit above our own hard one cannot be set by everybody, so that the lower one counts. Pure. */
function limitOptions(limits: ProgramLimits, own: (name: string) => number): string[] {
  const pair = (option: string, name: string, soft: number, hard = soft) =>
    `--${option}=${Math.min(soft, own(name))}:${Math.min(hard, own(name))}`;
  const { memoryBytes, cpuSeconds, fileBytes } = limits;
  return [
    pair('data', 'Max data size', memoryBytes),
    ...(cpuSeconds === undefined ? [] : [pair('cpu', 'Max cpu time', cpuSeconds, cpuSeconds + cpuGraceSeconds)]),
    pair('fsize', 'Max file size', fileBytes),
    pair('nproc', 'Max processes', maxTasksOfUser),
    // A crash must not fill the disk with the memory of the program.
    '--core=0:0',
  ];
}

let ownLimits: string | undefined;

/** Hard limits of this process by their name in `/proc/self/limits`; read once. */
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

/** Where the program is, by the rules of a shell; undefined when it is nowhere. */
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
