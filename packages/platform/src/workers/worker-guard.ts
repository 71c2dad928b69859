// Kills the programs of a control plane that died, hangs or was stopped, because another node may start their tasks. The guard is a
// separate shell. The control plane regularly sends it the process groups and their remaining time.
import { spawn } from 'node:child_process';
import type { Log } from '@srs-stack/process/log.ts';
import type { Launch } from './launch.ts';

/** A line is `<seconds> <pid> <pid> …`. The groups are killed if no further line arrives in this time, or if the writer has exited. */
const script = `trap '' HUP INT TERM
wait=60 pids=
while read -r -t "$wait" line; do set -- $line; wait=$1; shift; pids=$*; done
for pid in $pids; do kill -KILL -- "-$pid"; done`;

/** Minimum of `<seconds>` in a line. With 0, `read -t` would only check whether input is available. */
const shortestSeconds = 0.05;

export interface WorkerGuard {
  readonly launch: Launch;
  /** Sets the remaining time of all processes, milliseconds from now. */
  extend(leftMs: number): void;
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

  #start() {
    const shell = startShell();
    shell.on('error', (error) => {
      this.#log.warn({ reason: error.message }, 'bash is missing: if this server hangs, its tasks are stopped late');
    });
    shell.once('exit', () => {
      if (this.#shell === shell) this.#shell = undefined;
    });
    return shell;
  }
}

function startShell() {
  const shell = spawn('bash', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // An exited guard causes an error here. The next line starts a new guard.
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return shell;
}
