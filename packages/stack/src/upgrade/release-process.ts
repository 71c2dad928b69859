// Another release as a child process of this supervisor: starts the release, waits for its readiness, and stops it.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeOf } from './prepare-release.ts';
import { mainFile } from './release-folders.ts';
import { printable } from './run-program.ts';

/** Exit code of a release that stopped so that another release can replace it. */
export const changeReleaseExitCode = 75;
/** Environment variable that marks a release as watched by another supervisor. */
export const watchedVariable = 'SRS_STACK_WATCHED';
/** Environment variable with the path of the operator's checkout, for a release in another folder. */
export const checkoutVariable = 'SRS_STACK_CHECKOUT';
/** Number of last characters of a release's standard error that are kept. They contain the reason of a failure. */
const keptOutputLength = 600;
/** Time for a graceful stop before SIGKILL, milliseconds. A release gives its own servers less time. */
const stopTimeoutMs = 10_000;
const exitWithParent = fileURLToPath(new URL('../exit-with-parent.ts', import.meta.url));

export interface ReleaseProcess {
  /** Resolves when the release reports its first successful call. Stays pending if this never happens. */
  readonly ready: Promise<void>;
  /** Resolves with the exit code when the release has exited; 1 after a signal. */
  readonly ended: Promise<number>;
  /** Time at which the release reported that it stops its servers, Unix milliseconds. Undefined before this report. */
  stoppedAtMs(): number | undefined;
  errorOutput(): string;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the release has exited. Idempotent. */
  stop(): Promise<void>;
}

export interface ReleaseProcessOptions {
  readonly folder: string;
  readonly dataDir: string;
  readonly checkout: string;
}

export function startRelease({ folder, dataDir, checkout }: ReleaseProcessOptions): ReleaseProcess {
  const child = spawn(nodeOf(folder), ['--import', exitWithParent, join(folder, mainFile)], {
    env: { ...process.env, DATA_DIR: dataDir, [checkoutVariable]: checkout, [watchedVariable]: '1' },
    // The child has its own process group. Ctrl-C in a terminal thus reaches only the watching supervisor, which forwards it once.
    detached: true,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let lastOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    lastOutput = (lastOutput + chunk.toString()).slice(-keptOutputLength);
  });
  let stoppedAtMs: number | undefined;
  const ready = Promise.withResolvers<void>();
  child.on('message', (message: { type?: string }) => {
    if (message.type === 'ready') ready.resolve();
    if (message.type === 'stopping') stoppedAtMs = Date.now();
  });
  const ended = endOf(child);
  return {
    ready: ready.promise,
    ended,
    stoppedAtMs: () => stoppedAtMs,
    errorOutput: () => printable(lastOutput).trim(),
    signal: (signal) => child.kill(signal),
    async stop() {
      const killer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(killer);
    },
  };
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}
