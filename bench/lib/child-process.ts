// Child processes of the bench: output lines, result, exit code. Each process is stopped by its own pid.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, processTree } from './process-figures.ts';

/** Time for a server to stop before it is killed, milliseconds. */
const stopTimeoutMs = 6_000;
const stopPollMs = 50;

export interface ToolCommand {
  readonly command: string;
  readonly args: readonly (string | number)[];
  readonly log: string;
  readonly env?: Readonly<Record<string, string>>;
}

const started = new Set<number>();

/** Registers a process, so that `stopRemembered` can end it when the run is interrupted. */
export function rememberProcess(pid: number | undefined): void {
  if (pid !== undefined) started.add(pid);
}

/** Ends all registered processes that still run. */
export async function stopRemembered(): Promise<void> {
  await Promise.all([...started].filter(isAlive).map(stopTree));
}

/** A running child process: a load tool or a server. */
export class Tool {
  readonly process: ChildProcess;
  readonly lines: string[] = [];
  /** Resolves with the exit code, or -1 if the tool could not start or was killed. */
  readonly ended: Promise<number>;
  hasEnded = false;
  #waiting: { prefix: string; found: (line: string | undefined) => void }[] = [];

  constructor({ command, args, log, env }: ToolCommand) {
    const errors = openSync(log, 'a');
    this.process = spawn(command, args.map(String), {
      stdio: ['ignore', 'pipe', errors],
      env: { ...process.env, ...env },
    });
    closeSync(errors);
    rememberProcess(this.process.pid);
    createInterface({ input: this.process.stdout! }).on('line', (line) => this.#onLine(line));
    this.ended = new Promise((resolve) => {
      const end = (code: number | null): void => {
        this.hasEnded = true;
        started.delete(this.pid);
        resolve(code ?? -1);
        for (const { found } of this.#waiting) found(undefined);
      };
      this.process.once('close', end);
      this.process.once('error', () => end(-1));
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Resolves with the first line that starts with `prefix`, or undefined when the tool exits without this line. */
  line(prefix: string): Promise<string | undefined> {
    const seen = this.lines.find((line) => line.startsWith(prefix));
    if (seen !== undefined || this.hasEnded) return Promise.resolve(seen);
    return new Promise((found) => this.#waiting.push({ prefix, found }));
  }

  /** Waits for the tool to exit. Resolves with the JSON value of the RESULT line, or undefined without this line. */
  async result(): Promise<unknown> {
    await this.ended;
    const line = this.lines.find((one) => one.startsWith('RESULT '));
    return line === undefined ? undefined : JSON.parse(line.slice(7));
  }

  async finish(): Promise<unknown> {
    this.process.kill('SIGTERM');
    return await this.result();
  }

  async kill(): Promise<void> {
    if (this.hasEnded) return;
    this.process.kill('SIGKILL');
    await this.ended;
  }

  #onLine(line: string): void {
    this.lines.push(line);
    for (const { prefix, found } of this.#waiting) if (line.startsWith(prefix)) found(line);
  }
}

/** Ends a server and its child processes by pid: SIGTERM to the server, then SIGKILL to all processes that still run. */
export async function stopTree(pid: number): Promise<void> {
  const pids = processTree(pid);
  signal(pid, 'SIGTERM');
  await untilGone(pids, stopTimeoutMs);
  for (const left of pids.filter(isAlive)) signal(left, 'SIGKILL');
  await untilGone(pids, stopTimeoutMs);
  started.delete(pid);
}

async function untilGone(pids: readonly number[], timeoutMs: number): Promise<void> {
  for (let waited = 0; pids.some(isAlive) && waited < timeoutMs; waited += stopPollMs) await delay(stopPollMs);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has exited meanwhile.
  }
}
