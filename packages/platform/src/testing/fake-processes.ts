// Fake processes and a clock for tests of the worker state machine.
import type { Exit, Launch, LaunchOptions } from '../workers/launch.ts';
import type { WorkerClock } from '../workers/worker-clock.ts';

interface FakeProcess {
  readonly options: LaunchOptions;
  readonly pid: number;
  readonly signals: string[];
  /** Whether SIGTERM ends the process. SIGKILL always ends it. */
  obeys: boolean;
  isRunning: boolean;
  exit(exit: Partial<Exit>): void;
  /** Reports the media time and frames written so far, like FFmpeg. */
  progress(outTimeUs: number, frames?: number): void;
}

export interface FakeProcesses {
  readonly launch: Launch;
  readonly all: FakeProcess[];
  readonly peak: () => number;
}

export function createFakeProcesses({ startError }: { startError?: string } = {}): FakeProcesses {
  const all: FakeProcess[] = [];
  let peak = 0;
  const launch: Launch = (options) => {
    let resolve: (exit: Exit) => void = () => undefined;
    const exited = new Promise<Exit>((done) => {
      resolve = done;
    });
    const fake: FakeProcess = {
      options,
      pid: startError ? 0 : all.length + 1_000_000_000,
      signals: [],
      obeys: true,
      isRunning: true,
      exit(exit) {
        fake.isRunning = false;
        resolve({ code: null, signal: null, ...exit });
      },
      progress(outTimeUs, frames) {
        const frameLine = frames === undefined ? '' : `frame=${frames}\n`;
        options.onStdout(`${frameLine}out_time_us=${outTimeUs}\ntotal_size=1\nprogress=continue\n`);
      },
    };
    all.push(fake);
    peak = Math.max(peak, all.filter((each) => each.isRunning).length);
    if (startError) fake.exit({ startError });
    return {
      pid: fake.pid,
      exited,
      signal(signal) {
        fake.signals.push(signal);
        if (fake.isRunning && (signal === 'SIGKILL' || fake.obeys)) fake.exit({ signal });
      },
    };
  };
  return { launch, all, peak: () => peak };
}

export interface FakeClock extends WorkerClock {
  /** Advances the time in steps and runs everything that is due. */
  advance(ms: number): Promise<void>;
}

const stepMs = 100;

export function createFakeClock(startMs = 0): FakeClock {
  let nowMs = startMs;
  let sleepers: { atMs: number; wake: () => void }[] = [];
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sleeper = { atMs: nowMs + ms, wake: resolve };
        sleepers.push(sleeper);
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    async advance(ms) {
      const untilMs = nowMs + ms;
      await settle();
      while (nowMs < untilMs) {
        nowMs = Math.min(untilMs, nowMs + stepMs);
        const due = sleepers.filter(({ atMs }) => atMs <= nowMs);
        sleepers = sleepers.filter(({ atMs }) => atMs > nowMs);
        for (const { wake } of due) wake();
        await settle();
      }
    },
  };
}
