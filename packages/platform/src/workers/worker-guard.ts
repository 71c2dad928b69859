// Ends the programs of a control plane that has died, hangs or was stopped, when it no longer may have its tasks: a process of its own
// (a shell that waits for the next line) that is told which process groups there are and how long they may run without another word.
import { spawn } from 'node:child_process';
import type { Log } from '@srs-stack/process/log.ts';
import type { Launch } from './launch.ts';

/** A line is `<seconds> <pid> <pid> …`. Without another one in time, or when the writer has gone, the groups are killed. */
const script = `trap '' HUP INT TERM
wait=60 pids=
while read -r -t "$wait" line; do set -- $line; wait=$1; shift; pids=$*; done
for pid in $pids; do kill -KILL -- "-$pid"; done`;

/** Shortest time a line may give, seconds: 0 would only look whether another line is there. */
const shortestSeconds = 0.05;

export interface WorkerGuard {
  /** Launches so that the processes are guarded. */
  readonly launch: Launch;
  /** All may run this much longer, milliseconds. */
  extend(leftMs: number): void;
  /** Kills what still runs. */
  close(): void;
}

export function createWorkerGuard(launch: Launch, log: Log): WorkerGuard {
  return new ShellGuard(launch, log);
}

class ShellGuard implements WorkerGuard {
  readonly #launch: Launch;
  readonly #log: Log;
  readonly #pids = new Set<number>();
  #shell: ReturnType<typeof startShell> | undefined;
  #untilMs = 0;
  #isClosed = false;
  readonly launch: Launch = (options) => {
    const launched = this.#launch(options);
    if (launched.pid === 0) return launched;
    this.#pids.add(launched.pid);
    this.#tell();
    const forget = () => {
      this.#pids.delete(launched.pid);
      this.#tell();
    };
    launched.exited.then(forget, forget);
    return launched;
  };

  constructor(launch: Launch, log: Log) {
    this.#launch = launch;
    this.#log = log;
  }

  extend(leftMs: number): void {
    this.#untilMs = performance.now() + leftMs;
    if (this.#pids.size > 0) this.#tell();
  }

  close(): void {
    this.#isClosed = true;
    this.#shell?.stdin.end();
  }

  #tell(): void {
    if (this.#isClosed) return;
    this.#shell ??= this.#start();
    const seconds = Math.max(shortestSeconds, (this.#untilMs - performance.now()) / 1_000);
    this.#shell.stdin.write(`${seconds.toFixed(3)} ${[...this.#pids].join(' ')}\n`);
  }

  /** One that ended is started again with the next line. */
  #start() {
    const shell = startShell();
    shell.on('error', (error) => {
      this.#log.warn({ reason: error.message }, 'bash is missing: tasks of a server that hangs end late');
    });
    shell.once('exit', () => {
      if (this.#shell === shell) this.#shell = undefined;
    });
    return shell;
  }
}

function startShell() {
  const shell = spawn('bash', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // It has ended: the next line starts another one.
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return shell;
}
