// Another release as a child process of this supervisor: starts it, waits until it reports readiness, and stops it.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeOf } from './prepare-release.ts';
import { mainFile } from './release-folders.ts';
import { printable } from './run-program.ts';

/** Exit code of a release that stopped so that another one can replace it. */
export const changeReleaseExitCode = 75;
/** Environment variable of a release that another supervisor watches. */
export const watchedVariable = 'SRS_STACK_WATCHED';
/** Path of the operator's checkout, for a release in another folder. */
export const checkoutVariable = 'SRS_STACK_CHECKOUT';
/** Length of the end of a release's standard error that is kept, characters; it contains the reason of a failure. */
const keptOutputLength = 600;
/** Time for a graceful stop before SIGKILL, milliseconds; longer than a release gives its servers. */
const stopTimeoutMs = 10_000;
const exitWithParent = fileURLToPath(new URL('../exit-with-parent.ts', import.meta.url));

export interface ReleaseProcess {
  /** Resolves when the release reports that its first call succeeded; otherwise never settles. */
  readonly ready: Promise<void>;
  /** Resolves with the exit code when the release has exited; 1 for a signal. */
  readonly ended: Promise<number>;
  /** Time at which the release reported that it stops its servers, Unix milliseconds; undefined before that. */
  stoppedAtMs(): number | undefined;
  /** The end of the release's standard error. */
  errorOutput(): string;
  signal(signal: NodeJS.Signals): void;
  /** Idempotent; resolves when the release has exited. */
  stop(): Promise<void>;
}

export interface ReleaseProcessOptions {
  /** Folder of the release. */
  readonly folder: string;
  readonly dataDir: string;
  readonly checkout: string;
}

export function startRelease({ folder, dataDir, checkout }: ReleaseProcessOptions): ReleaseProcess {
  const child = spawn(nodeOf(folder), ['--import', exitWithParent, join(folder, mainFile)], {
    env: { ...process.env, DATA_DIR: dataDir, [checkoutVariable]: checkout, [watchedVariable]: '1' },
    // Ctrl-C in a terminal reaches only the watching supervisor, which forwards it once.
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
