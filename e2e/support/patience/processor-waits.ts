// How long the main threads of processes were ready to run and did not get a processor, by what Linux counts (`/proc/<pid>/schedstat`):
// other programs had them.
import { readFileSync } from 'node:fs';

const sampleEveryMs = 50;
/** Samples of one window, which is longer than a gap that is judged. */
const windowSamples = 16;

export class ProcessorWaits {
  readonly #pids: readonly number[];
  readonly #timer: NodeJS.Timeout;
  /** Milliseconds since each process began, summed. */
  #samples: number[] = [];

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#timer = setInterval(() => this.#sample(), sampleEveryMs);
    this.#sample();
  }

  /** Longest wait inside 0.8 s since `forget`, milliseconds, of all processes together. */
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

/** The second figure: time on a queue for a processor, nanoseconds. Zero where the kernel does not count it, or the process has ended. */
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
