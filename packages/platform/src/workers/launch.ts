// Starts a program without a shell, in a process group of its own, and ends it for certain.
import { type ChildProcess, spawn } from 'node:child_process';
import { limitedCommand, type ProgramLimits } from '@srs-stack/programs';

/** Environment variable that marks our workers; its value is the id of the installation. */
export const workerMark = 'SRS_STACK_WORKER';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the program could not be started at all, e.g. `ENOENT`. */
  readonly startError?: string;
}

export interface LaunchedProcess {
  /** 0 when the program could not be started. */
  readonly pid: number;
  /** Resolves when the process and its output have ended. Never rejects. */
  readonly exited: Promise<Exit>;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export interface LaunchOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** What it may use; the kernel holds it to that. */
  readonly limits: ProgramLimits;
  /** Variables of this run, beside those all workers have. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly onStdout: (chunk: string) => void;
  readonly onStderr: (chunk: string) => void;
}

export type Launch = (options: LaunchOptions) => LaunchedProcess;

/** The part of our environment that media programs get: no secret, and no proxy but ours. */
export function programEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'LD_LIBRARY_PATH'];
  return Object.fromEntries(kept.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

/** `ownerId` marks the processes, see `endLeftovers`. Children get no other part of our environment than these. */
export function createLaunch(ownerId: string, environment: NodeJS.ProcessEnv = process.env): Launch {
  const env = programEnvironment(environment);
  return ({ onStdout, onStderr, limits, environment: ofRun, ...wanted }) => {
    const { program, args } = limitedCommand(wanted.program, wanted.args, limits);
    const child = spawn(program, [...args], {
      env: { ...env, ...ofRun, [workerMark]: ownerId },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
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

/** The whole group: a program's own children end with it. */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!pid) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
