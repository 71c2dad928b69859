// Keeps servers running. Starts each server as a child process, and restarts it when it exits: immediately if it had been ready for a
// second, else with back-off. Stops all servers within a limited time. The supervisor does not depend on what a server does.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setProgramPriority } from '@srs-stack/process/programs/program-priority.ts';
import type { Environment } from './environment.ts';
import { roomForFiles } from './open-files.ts';
import { productFiles } from './product-files.ts';
import { createRestartDelay } from './restart-delay.ts';

/** Time for a graceful stop before SIGKILL, milliseconds. */
const defaultStopTimeoutMs = 5_000;
/** Minimum time for the stop of each program, milliseconds, even after earlier programs have used the whole time. */
const lastChanceMs = 500;

export interface Program {
  readonly name: string;
  readonly main: string;
  readonly nodeOptions?: readonly string[];
  readonly environment?: Environment;
  /** Expected number of open files. The kernel's table for the program gets this size at its start. */
  readonly openFiles?: number;
  /** Nice value from -20 to 19. Negative values have no effect if the user may not set them. */
  readonly niceness?: number;
}

export interface SupervisorOptions {
  readonly programs: readonly Program[];
  /** Called before every start of a program. */
  readonly environment: () => Environment;
  /** Reads the standard output of a program. Without this function, programs inherit the supervisor's output. */
  readonly consumeOutput?: ((output: Readable) => void) | undefined;
  readonly stopTimeoutMs?: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  /** Called when a program has exited. It is restarted after `delayMs`. */
  readonly onRestart: (program: Program, how: string, delayMs: number) => void;
  /** Called when a program refuses to start before the product is ready. It is not restarted. The caller must stop all programs. */
  readonly onRefused: (program: Program, exitCode: number) => void;
  /** Called when a program sends an IPC message. Readiness messages are not passed on. */
  readonly onMessage?: (program: Program, message: unknown) => void;
}

export interface Supervisor {
  start(): void;
  /** Called when the product is ready. Later, an exited program is restarted even after an exit code that means refusal. */
  markReady(): void;
  /** Signals all programs to stop, and kills programs that do not. Resolves when all have exited. Idempotent. */
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
    // Programs stop in list order, so that the last notices of the gateway still reach the control plane.
    for (const program of options.programs) {
      const child = running.get(program);
      if (child) await stopChild(child, signal, Math.max(deadline - performance.now(), lastChanceMs));
    }
  }

  return {
    // The control plane starts first, because its start takes longest.
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

/** Arguments of Node for a program. */
export function argumentsOf({ nodeOptions = [], main }: Program): string[] {
  return [...productFiles.nodeOptions, ...nodeOptions, '--import', productFiles.exitWithParent, main];
}

function startProgram(program: Program, { environment, consumeOutput }: SupervisorOptions): ChildProcess {
  const child = spawn(process.execPath, argumentsOf(program), {
    env: { ...environment(), ...program.environment },
    // The child has its own process group. Ctrl-C in a terminal thus reaches only the supervisor, which stops every program once.
    detached: true,
    stdio: ['ignore', consumeOutput ? 'pipe' : 'inherit', 'inherit', 'ipc', ...roomForFiles(program.openFiles ?? 0)],
  });
  if (child.stdout) consumeOutput?.(child.stdout);
  if (program.niceness && child.pid !== undefined) setProgramPriority(child.pid, program.niceness);
  return child;
}

/** Whether an exit code is that of a server that refuses to start, e.g. because of an invalid setting or an unreachable store. */
function isRefusal(code: number | null): code is number {
  return code === 1;
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
