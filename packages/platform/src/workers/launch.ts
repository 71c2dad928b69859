// Starts programs without a shell, each in a separate process group, and ends them reliably.
import { type ChildProcess, spawn } from 'node:child_process';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import type { ProgramLimits } from '@srs-stack/process/programs/program-limits.ts';
import { setProgramPriority } from '@srs-stack/process/programs/program-priority.ts';

/** Environment variable of all workers. The value is the id of this installation. */
export const workerMark = 'SRS_STACK_WORKER';

/** Nice value of workers. Even if encoders use all CPU cores, the media server still gets three quarters of the CPU time when needed. */
export const workerNiceness = 5;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Error code of a program that could not start, e.g. `ENOENT`. */
  readonly startError?: string;
}

export interface LaunchedProcess {
  /** 0 if the program could not start. */
  readonly pid: number;
  /** Resolves when the process and its output have ended. Never rejects. */
  readonly exited: Promise<Exit>;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export interface LaunchOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly limits: ProgramLimits;
  readonly environment?: Readonly<Record<string, string>>;
  readonly onStdout: (chunk: string) => void;
  readonly onStderr: (chunk: string) => void;
}

export type Launch = (options: LaunchOptions) => LaunchedProcess;

/** Environment variables that media programs inherit: no secrets and no proxy settings. */
export function programEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'LD_LIBRARY_PATH'];
  return Object.fromEntries(kept.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

/**
 * Returns a function that starts programs. Programs inherit only the variables of `programEnvironment`.
 * @param ownerId marks the processes, see `endLeftovers`.
 */
export function createLaunch(ownerId: string, environment: NodeJS.ProcessEnv = process.env): Launch {
  const env = programEnvironment(environment);
  return ({ onStdout, onStderr, limits, environment: ofRun, ...wanted }) => {
    const { program, args } = limitedCommand(wanted.program, wanted.args, limits);
    const child = spawn(program, [...args], {
      env: { ...env, ...ofRun, [workerMark]: ownerId },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    if (child.pid !== undefined) setProgramPriority(child.pid, workerNiceness);
    child.stdout?.setEncoding('utf8').on('data', onStdout);
    child.stderr?.setEncoding('utf8').on('data', onStderr);
    return { pid: child.pid ?? 0, exited: exitOf(child), signal: (signal) => signalGroup(child.pid, signal) };
  };
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, startError: error.code ?? error.message });
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** Signals the process group, which includes children of the program. */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!pid) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
