// One run of one process: reads its output, tracks its progress, and kills a process without progress.
import type { WorkerFrame, WorkerReason } from '@srs-stack/contract';
import { cleanStatusLine, createLineSplitter, createProgressReader, statusTimeOf } from './ffmpeg-progress.ts';
import type { Exit, Launch, LaunchedProcess } from './launch.ts';
import type { LogRing } from './log-ring.ts';
import { createUsageMeter, type Usage } from './process-usage.ts';
import { StallWatch, stallMs } from './stall-watch.ts';
import type { WorkerClock } from './worker-clock.ts';
import type { WorkerPlan } from './worker-plan.ts';

/** Number of log lines that are kept to explain the end of a run. */
const maxRunLines = 100;

export interface WorkerRun {
  readonly pid: number;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly exited: Promise<Exit>;
  /** True when the run ended because it reached its configured duration. */
  ranItsTime(): boolean;
  /** Why the stall watch killed the process; undefined if it did not. */
  killedFor(): WorkerReason | undefined;
  lines(): readonly string[];
  frame(): WorkerFrame;
  /** Media time written so far, milliseconds. */
  sentMs(): number;
  firstText(): string;
  readyAt(): string;
  isReady(): boolean;
  usage(nowMs: number): Usage;
  /**
   * Kills a process that makes no progress or has reached its configured duration. Also kills it if video is missing although the source
   * sends video.
   */
  check(hasPicture: boolean): void;
  /** Called while no progress is expected. Kills the process when the pause lasts too long. */
  pause(): void;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export interface WorkerRunOptions {
  readonly plan: WorkerPlan;
  readonly deps: { readonly launch: Launch; readonly clock: WorkerClock; readonly program?: string };
  readonly ring: LogRing;
  readonly onReady: () => void;
}

export function createWorkerRun(options: WorkerRunOptions): WorkerRun {
  return new WatchedRun(options);
}

class WatchedRun implements WorkerRun {
  readonly #options: WorkerRunOptions;
  readonly #clock: WorkerClock;
  readonly #longestRunMs: number;
  readonly #startedMs: number;
  readonly #watch: StallWatch;
  readonly #lines: string[] = [];
  #frame: WorkerFrame = { log: '', update: '' };
  #statusTime = '';
  #readyAt = '';
  #sentMs = 0;
  #frames = 0;
  /** Time of the last video frame, or of the last check that expected no video. */
  #pictureMs: number;
  #killedFor: WorkerReason | undefined;
  #ranItsTime = false;
  readonly #progress = createProgressReader();
  readonly #child: LaunchedProcess;
  readonly #usage: ReturnType<typeof createUsageMeter>;
  readonly pid: number;
  readonly startedAt: string;
  readonly exited: Promise<Exit>;

  constructor(options: WorkerRunOptions) {
    this.#options = options;
    this.#clock = options.deps.clock;
    this.#longestRunMs = options.plan.limits?.longestRunMs ?? Number.POSITIVE_INFINITY;
    this.#startedMs = this.#clock.nowMs();
    this.#watch = new StallWatch(this.#startedMs, options.plan.watchesSpeed, options.plan.limits?.fastestSpeed);
    this.#pictureMs = this.#startedMs;
    this.#child = options.deps.launch({
      program: options.deps.program ?? 'ffmpeg',
      args: options.plan.args,
      limits: options.plan.mayUse,
      ...(options.plan.environment ? { environment: options.plan.environment } : {}),
      onStdout: eachLine((line) => this.#onProgressLine(line)),
      onStderr: eachLine((line) => this.#onLogLine(line)),
    });
    this.#usage = createUsageMeter(this.#child.pid, this.#startedMs);
    this.pid = this.#child.pid;
    this.startedAt = new Date(this.#startedMs).toISOString();
    this.exited = this.#child.exited;
  }

  ranItsTime(): boolean {
    return this.#ranItsTime;
  }

  killedFor(): WorkerReason | undefined {
    return this.#killedFor;
  }

  lines(): readonly string[] {
    return this.#lines;
  }

  frame(): WorkerFrame {
    return this.#frame;
  }

  sentMs(): number {
    return this.#sentMs;
  }

  firstText(): string {
    return this.#lines.at(-1) ?? '';
  }

  readyAt(): string {
    return this.#readyAt;
  }

  isReady(): boolean {
    return this.#readyAt !== '';
  }

  usage(nowMs: number): Usage {
    return this.#usage(nowMs);
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#child.signal(signal);
  }

  check(hasPicture: boolean): void {
    if (this.#ranItsTime) return;
    this.#ranItsTime = this.#clock.nowMs() - this.#startedMs >= this.#longestRunMs;
    if (this.#ranItsTime) this.#child.signal('SIGKILL');
    else this.#kill(this.#watch.check(this.#clock.nowMs()) ?? this.#checkPicture(hasPicture));
  }

  pause(): void {
    this.#pictureMs = this.#clock.nowMs();
    this.#kill(this.#watch.pause(this.#clock.nowMs()));
  }

  #nowText(): string {
    return new Date(this.#clock.nowMs()).toISOString();
  }

  #kill(reason: WorkerReason | undefined): void {
    if (!reason || this.#killedFor) return;
    this.#killedFor = reason;
    this.#child.signal('SIGKILL');
  }

  #becomeReady(): void {
    if (this.#readyAt !== '') return;
    this.#readyAt = this.#nowText();
    this.#options.onReady();
  }

  #checkPicture(hasPicture: boolean): WorkerReason | undefined {
    if (hasPicture) return this.#clock.nowMs() - this.#pictureMs >= stallMs ? 'no-picture' : undefined;
    this.#pictureMs = this.#clock.nowMs();
    if (this.#sentMs > 0) this.#becomeReady();
    return undefined;
  }

  #onLogLine(line: string) {
    const time = statusTimeOf(line);
    const clean = time === undefined ? line : cleanStatusLine(line);
    this.#options.ring.push(clean, time === undefined ? 'text' : 'progress');
    if (time !== undefined && time !== this.#statusTime) {
      this.#statusTime = time;
      this.#frame = { log: clean, update: this.#nowText() };
    }
    if (time !== undefined) return;
    this.#lines.push(line);
    if (this.#lines.length > maxRunLines) this.#lines.shift();
  }

  #onProgressLine(line: string) {
    const block = this.#progress.push(line);
    if (!block || block.outTimeUs === 0) return;
    this.#sentMs = block.outTimeUs / 1_000;
    if (block.frames > this.#frames) {
      this.#frames = block.frames;
      this.#pictureMs = this.#clock.nowMs();
    }
    if (!this.#options.plan.hasPicture || this.#frames > 0) this.#becomeReady();
    this.#kill(this.#watch.onProgress(block.outTimeUs, this.#clock.nowMs()));
  }
}

function eachLine(onLine: (line: string) => void): (chunk: string) => void {
  const splitter = createLineSplitter();
  return (chunk) => splitter.push(chunk).forEach(onLine);
}
