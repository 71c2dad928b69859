// Keeps the servers running: starts each as a child process, again at once when one ends that had been serving and with
// back-off when it does not get that far, stops all within a bounded time.
// It has no rules of its own and never looks at what a server does.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { configurationErrorExitCode } from '@srs-stack/process/start-refusal.ts';
import type { Environment } from './environment.ts';
import { roomForFiles } from './open-files.ts';
import { productFiles } from './product-files.ts';
import { createRestartDelay } from './restart-delay.ts';

/** Time for a graceful stop before SIGKILL, milliseconds. */
const defaultStopTimeoutMs = 5_000;
/** What the last program gets when those before it used up the time, milliseconds. */
const lastChanceMs = 500;

export interface Program {
  readonly name: string;
  /** Absolute path of the TypeScript or JavaScript file to run. */
  readonly main: string;
  /** Options of Node itself, before the file. */
  readonly nodeOptions?: readonly string[];
  /** Beside what all programs get. */
  readonly environment?: Environment;
  /** It will hold so many connections: there is room for them from the start. */
  readonly openFiles?: number;
}

export interface SupervisorOptions {
  /** Stopped in this order, one after the other. */
  readonly programs: readonly Program[];
  /** Read before every start of a program. */
  readonly environment: () => Environment;
  /** Takes a program's standard output; without it the program writes to the supervisor's own. */
  readonly consumeOutput?: ((output: Readable) => void) | undefined;
  /** Time for a graceful stop before SIGKILL, milliseconds. */
  readonly stopTimeoutMs?: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  /** A program ended by itself and is started again after `delayMs`. */
  readonly onRestart: (program: Program, how: string, delayMs: number) => void;
  /** A program refused to run before the product was ready; nothing is restarted, all programs are stopped. */
  readonly onRefused: (program: Program, exitCode: number) => void;
  /** A program said something beside that it serves. */
  readonly onMessage?: (program: Program, message: unknown) => void;
}

export interface Supervisor {
  start(): void;
  /** From now on an ended program is restarted whatever its exit code. */
  markReady(): void;
  /** Asks every program to stop and kills those that do not. Idempotent; resolves when all are gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const running = new Map<Program, ChildProcess>();
  const pendingRestarts = new Set<NodeJS.Timeout>();
  const clock = options.clock ?? (() => performance.now());
  let ready = false;
  let stopping: Promise<void> | undefined;

  function supervise(program: Program): void {
    const delay = createRestartDelay();
    const run = () => {
      let readyAtMs: number | undefined;
      const child = startProgram(program, options);
      running.set(program, child);
      child.on('message', (message: { type?: unknown }) => {
        if (message.type === 'ready') readyAtMs ??= clock();
        else options.onMessage?.(program, message);
      });
      child.once('exit', (code, signal) => {
        running.delete(program);
        if (stopping) return;
        if (!ready && isRefusal(code)) return options.onRefused(program, code);
        const delayMs = delay.next(readyAtMs === undefined ? undefined : clock() - readyAtMs);
        options.onRestart(program, signal ?? `exit code ${code}`, delayMs);
        const timer = setTimeout(() => {
          pendingRestarts.delete(timer);
          run();
        }, delayMs);
        pendingRestarts.add(timer);
      });
    };
    run();
  }

  async function stopAll(signal: NodeJS.Signals): Promise<void> {
    for (const timer of pendingRestarts) clearTimeout(timer);
    const deadline = performance.now() + (options.stopTimeoutMs ?? defaultStopTimeoutMs);
    // In the order of the list: the gateway's last notices still reach the platform.
    for (const program of options.programs) {
      const child = running.get(program);
      if (child) await stopChild(child, signal, Math.max(deadline - performance.now(), lastChanceMs));
    }
  }

  return {
    // The control plane first: it takes longest.
    start: () => options.programs.toReversed().forEach(supervise),
    markReady: () => {
      ready = true;
    },
    stop: (signal = 'SIGTERM') => {
      stopping ??= stopAll(signal);
      return stopping;
    },
  };
}

/** What Node is started with for a program. */
export function argumentsOf({ nodeOptions = [], main }: Program): string[] {
  return [...productFiles.nodeOptions, ...nodeOptions, '--import', productFiles.exitWithParent, main];
}

function startProgram(program: Program, { environment, consumeOutput }: SupervisorOptions): ChildProcess {
  const child = spawn(process.execPath, argumentsOf(program), {
    env: { ...environment(), ...program.environment },
    // A process group of its own: Ctrl-C in a terminal reaches the supervisor only, which then stops every program once.
    detached: true,
    stdio: ['ignore', consumeOutput ? 'pipe' : 'inherit', 'inherit', 'ipc', ...roomForFiles(program.openFiles ?? 0)],
  });
  if (child.stdout) consumeOutput?.(child.stdout);
  return child;
}

/** Exit codes that mean "I will not run like this" rather than "I crashed". */
function isRefusal(code: number | null): code is number {
  return code === configurationErrorExitCode || code === 1;
}

function stopChild(child: ChildProcess, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.once('exit', () => {
      clearTimeout(killer);
      resolve();
    });
    child.kill(signal);
  });
}
