// Measures one output protocol between two reports: stalls, frames, bytes, latency. The caller passes the time; this module does not access
// the DOM.
import {
  type OutputReport,
  stallMemorySeconds,
  type ViewerError,
  type ViewerOutput,
} from '@srs-stack/contract/values/viewers.ts';

/** State of the video at one time. */
export interface VideoSample {
  /** Position of the media element, seconds. */
  readonly position: number;
  /** The viewer has paused the video, or the tab is hidden and the browser may have paused the video. */
  readonly isResting: boolean;
  /** Frames shown and dropped since the element was created. */
  readonly frames: number;
  readonly droppedFrames: number;
  /** Seconds behind live; undefined while unknown. */
  readonly delay: number | undefined;
  readonly bitrateKbps: number | undefined;
  /** Media bytes received since playback started; undefined if only the current bitrate is known. */
  readonly receivedBytes: number | undefined;
}

/** Minimum duration of a stall, milliseconds. */
const stallAfterMs = 1_000;
/** A longer time between two samples, milliseconds, means that the page was asleep. */
const asleepAfterMs = 2_500;
/** Maximum seconds per report, and maximum events of one kind. The server refuses larger values. */
const maxSeconds = 60;
const maxCount = 100;

interface Sums {
  seconds: number;
  stalls: number;
  stalledSeconds: number;
  frames: number;
  droppedFrames: number;
  moves: number;
  delays: number[];
  kbps: number[];
  bytes: number | undefined;
  join: number | undefined;
  errors: Partial<Record<ViewerError, number>>;
}

export class OutputMeter {
  readonly #output: ViewerOutput;
  #sums = noSums();
  #before: (VideoSample & { readonly atMs: number }) | undefined;
  #movedAtMs = 0;
  #isStalled = false;
  #stalledAtMs = Number.NEGATIVE_INFINITY;

  constructor(output: ViewerOutput) {
    this.#output = output;
  }

  /** Called at the first frame. */
  begin(joinSeconds: number | undefined): void {
    this.rest();
    this.#sums.join ??= joinSeconds;
  }

  /** Suspends the measurement until the next sample. */
  rest(): void {
    this.#before = undefined;
    this.#isStalled = false;
  }

  fail(kind: ViewerError): void {
    this.#sums.errors[kind] = Math.min(maxCount, (this.#sums.errors[kind] ?? 0) + 1);
  }

  /** Called when playback changes to another output protocol. */
  leave(): void {
    this.#sums.moves = Math.min(maxCount, this.#sums.moves + 1);
  }

  /** Called after a reconnect. @param seconds duration of the interruption, which counts as a stall. */
  interrupt(seconds: number, nowMs: number): void {
    this.#sums.seconds += seconds;
    if (!this.#isStalled) this.#sums.stalls += 1;
    this.#isStalled = false;
    this.#sums.stalledSeconds += seconds;
    this.#stalledAtMs = nowMs;
  }

  sample(sample: VideoSample, nowMs: number): void {
    const before = this.#before;
    this.#before = { ...sample, atMs: nowMs };
    const seconds = before ? (nowMs - before.atMs) / 1000 : 0;
    const isFresh = !before || before.isResting || seconds * 1000 > asleepAfterMs;
    if (isFresh || sample.isResting) {
      this.#movedAtMs = nowMs;
      this.#isStalled = false;
      return;
    }
    const sums = this.#sums;
    sums.seconds += seconds;
    this.#sampleMovement(sample.position !== before.position, seconds, nowMs);
    sums.frames += grown(before.frames, sample.frames);
    sums.droppedFrames += grown(before.droppedFrames, sample.droppedFrames);
    if (sample.delay !== undefined) sums.delays.push(sample.delay);
    if (sample.bitrateKbps !== undefined) sums.kbps.push(sample.bitrateKbps);
    if (sample.receivedBytes !== undefined) {
      sums.bytes = (sums.bytes ?? 0) + grown(before.receivedBytes ?? sample.receivedBytes, sample.receivedBytes);
    }
  }

  /** Returns the data since the last call; undefined if empty. */
  take(nowMs: number): OutputReport | undefined {
    const { seconds, stalls, stalledSeconds, frames, droppedFrames, moves, join, errors, delays, kbps } = this.#sums;
    const reported = Math.min(maxSeconds, seconds);
    const bytes = this.#sums.bytes ?? (kbps.length > 0 ? (mean(kbps) * 1000 * seconds) / 8 : undefined);
    const stalledLately = nowMs - this.#stalledAtMs < stallMemorySeconds * 1000;
    const hasErrors = Object.keys(errors).length > 0;
    this.#sums = noSums();
    if (reported === 0 && join === undefined && moves === 0 && !hasErrors) return undefined;
    return {
      output: this.#output,
      seconds: rounded(reported),
      ...(stalls > 0 && { stalls: Math.min(maxCount, stalls) }),
      ...(stalledSeconds > 0 && { stalledSeconds: Math.min(rounded(reported), rounded(stalledSeconds)) }),
      ...(stalledLately && { stalledLately }),
      ...(frames > 0 && { frames, droppedFrames: Math.min(frames, droppedFrames) }),
      ...(bytes !== undefined && { bytes: Math.round(bytes) }),
      ...(delays.length > 0 && { delay: rounded(mean(delays)) }),
      ...(join !== undefined && { join: rounded(join) }),
      ...(moves > 0 && { moves }),
      ...(hasErrors && { errors }),
    };
  }

  #sampleMovement(hasMoved: boolean, seconds: number, nowMs: number): void {
    if (hasMoved) {
      // The stall ended between the last two samples.
      if (this.#isStalled) this.#sums.stalledSeconds += seconds;
      this.#movedAtMs = nowMs;
      this.#isStalled = false;
      return;
    }
    const stillMs = nowMs - this.#movedAtMs;
    if (this.#isStalled) this.#sums.stalledSeconds += seconds;
    else if (stillMs >= stallAfterMs) {
      this.#isStalled = true;
      this.#sums.stalls += 1;
      this.#sums.stalledSeconds += stillMs / 1000;
    }
    if (this.#isStalled) this.#stalledAtMs = nowMs;
  }
}

function noSums(): Sums {
  return {
    ...{ seconds: 0, stalls: 0, stalledSeconds: 0, frames: 0, droppedFrames: 0, moves: 0 },
    ...{ delays: [], kbps: [], bytes: undefined, join: undefined, errors: {} },
  };
}

/** Growth of a counter; a decrease means that the counter was reset to 0. */
function grown(before: number, now: number): number {
  return now >= before ? now - before : now;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
