// Measures how long the main threads of processes wait for a processor that other programs use, from Linux's statistics
// (`/proc/<pid>/schedstat`).
import { readFileSync } from 'node:fs';

const sampleEveryMs = 50;
/** Samples per window, which is longer than any measured gap. */
const windowSamples = 16;

export class ProcessorWaits {
  readonly #pids: readonly number[];
  readonly #timer: NodeJS.Timeout;
  /** Samples of the total waiting time of all processes since their start, milliseconds. */
  #samples: number[] = [];

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#timer = setInterval(() => this.#sample(), sampleEveryMs);
    this.#sample();
  }

  /** Longest waiting time in any window of 0.8 s since `forget`, summed over all processes, milliseconds. */
  longestMs(): number {
    this.#sample();
    const samples = this.#samples;
    return Math.max(...samples.map((waited, at) => waited - samples[Math.max(0, at - windowSamples)]!));
  }

  forget(): void {
    this.#samples = [];
    this.#sample();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    this.#samples.push(this.#pids.reduce((sum, pid) => sum + waitedMs(pid), 0));
  }
}

/**
 * Time that a process has spent in the run queue: the second value of `schedstat`.
 * Returns 0 if the kernel does not record this time, or the process has exited.
 */
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
