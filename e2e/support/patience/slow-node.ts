// A node that hangs or is very slow. Its programs are suspended permanently or most of the time, but its connections stay open.
import { processesOf } from '../processes.ts';

/** Suspended and running time of each cycle, milliseconds: the node has a tenth of its speed. */
const slow = { stoppedMs: 450, runningMs: 50 };

export class SlowNode {
  readonly #pids: readonly number[];
  #timer: NodeJS.Timeout | undefined;

  constructor(dataDir: string) {
    this.#pids = processesOf(dataDir);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#signal('SIGSTOP');
  }

  slowDown(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#signal('SIGCONT');
      this.#timer = setTimeout(() => this.slowDown(), slow.runningMs);
    }, slow.stoppedMs);
  }

  /** Idempotent. */
  resume(): void {
    clearTimeout(this.#timer);
    this.#signal('SIGCONT');
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of this.#pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has exited.
      }
    }
  }
}
