// One run of one process: reads its output, knows its last progress, and ends it when it makes none.
import type { WorkerFrame, WorkerReason } from '@srs-stack/contract';
import { cleanStatusLine, createLineSplitter, createProgressReader, statusTimeOf } from './ffmpeg-progress.ts';
import type { Exit, LaunchedProcess } from './launch.ts';
import type { LogRing } from './log-ring.ts';
import { createUsageMeter, type Usage } from './process-usage.ts';
import { createStallWatch, type StallWatch, stallMs } from './stall-watch.ts';
import type { WorkerDeps, WorkerPlan } from './supervised-worker.ts';

/** Lines of this run kept to explain its end. */
const maxRunLines = 100;

export interface WorkerRun {
  readonly pid: number;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly exited: Promise<Exit>;
  /** True once it was ended because it had run for as long as it was set to. */
  readonly ranItsTime: () => boolean;
  /** Why it was killed by the watch; undefined when it was not. */
  readonly killedFor: () => WorkerReason | undefined;
  readonly lines: () => readonly string[];
  frame(): WorkerFrame;
  /** Media time written so far, milliseconds. */
  sentMs(): number;
  firstText(): string;
  readyAt(): string;
  isReady(): boolean;
  usage(nowMs: number): Usage;
  /** Kills the process when it has made no progress for too long, or sent no picture although the source has some. */
  check(hasPicture: boolean): void;
  /** No progress is expected now; kills the process when that lasts too long. */
  pause(): void;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export interface WorkerRunOptions {
  readonly plan: WorkerPlan;
  readonly deps: Pick<WorkerDeps, 'launch' | 'clock' | 'program'>;
  readonly ring: LogRing;
  /** Called once, at the first progress. */
  readonly onReady: () => void;
}

export function createWorkerRun({ plan, deps, ring, onReady }: WorkerRunOptions): WorkerRun {
  const { clock } = deps;
  const startedMs = clock.nowMs();
  const watch: StallWatch = createStallWatch(startedMs, plan.watchesSpeed, plan.limits?.fastestSpeed);
  const lines: string[] = [];
  let frame: WorkerFrame = { log: '', update: '' };
  let statusTime = '';
  let readyAt = '';
  let sentMs = 0;
  let frames = 0;
  /** When the newest picture was sent, or none was to be. */
  let pictureMs = startedMs;
  let killedFor: WorkerReason | undefined;
  const { longestRunMs = Number.POSITIVE_INFINITY } = plan.limits ?? {};
  let ranItsTime = false;
  const nowText = () => new Date(clock.nowMs()).toISOString();

  const kill = (reason: WorkerReason | undefined) => {
    if (!reason || killedFor) return;
    killedFor = reason;
    child.signal('SIGKILL');
  };

  const becomeReady = () => {
    if (readyAt !== '') return;
    readyAt = nowText();
    onReady();
  };

  /** Of a source without pictures none is missed. */
  const checkPicture = (hasPicture: boolean) => {
    if (hasPicture) return clock.nowMs() - pictureMs >= stallMs ? 'no-picture' : undefined;
    pictureMs = clock.nowMs();
    if (sentMs > 0) becomeReady();
    return undefined;
  };

  const onLogLine = (line: string) => {
    const time = statusTimeOf(line);
    const clean = time === undefined ? line : cleanStatusLine(line);
    ring.push(clean, time === undefined ? 'text' : 'progress');
    if (time !== undefined && time !== statusTime) {
      statusTime = time;
      frame = { log: clean, update: nowText() };
    }
    if (time !== undefined) return;
    lines.push(line);
    if (lines.length > maxRunLines) lines.shift();
  };

  const progress = createProgressReader();
  const onProgressLine = (line: string) => {
    const block = progress.push(line);
    if (!block || block.outTimeUs === 0) return;
    sentMs = block.outTimeUs / 1_000;
    if (block.frames > frames) {
      frames = block.frames;
      pictureMs = clock.nowMs();
    }
    if (!plan.hasPicture || frames > 0) becomeReady();
    kill(watch.onProgress(block.outTimeUs, clock.nowMs()));
  };

  const child: LaunchedProcess = deps.launch({
    program: deps.program ?? 'ffmpeg',
    args: plan.args,
    limits: plan.mayUse,
    ...(plan.environment ? { environment: plan.environment } : {}),
    onStdout: eachLine(onProgressLine),
    onStderr: eachLine(onLogLine),
  });
  const usage = createUsageMeter(child.pid, startedMs);

  return {
    pid: child.pid,
    startedAt: new Date(startedMs).toISOString(),
    exited: child.exited,
    ranItsTime: () => ranItsTime,
    killedFor: () => killedFor,
    lines: () => lines,
    frame: () => frame,
    sentMs: () => sentMs,
    firstText: () => lines.at(-1) ?? '',
    readyAt: () => readyAt,
    isReady: () => readyAt !== '',
    usage,
    check(hasPicture) {
      if (ranItsTime) return;
      ranItsTime = clock.nowMs() - startedMs >= longestRunMs;
      if (ranItsTime) child.signal('SIGKILL');
      else kill(watch.check(clock.nowMs()) ?? checkPicture(hasPicture));
    },
    pause() {
      pictureMs = clock.nowMs();
      kill(watch.pause(clock.nowMs()));
    },
    signal: child.signal,
  };
}

function eachLine(onLine: (line: string) => void): (chunk: string) => void {
  const splitter = createLineSplitter();
  return (chunk) => splitter.push(chunk).forEach(onLine);
}
