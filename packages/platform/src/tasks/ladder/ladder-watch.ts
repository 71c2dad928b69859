// State of a ladder between polls: the last time with viewers, and whether the ladder keeps up with its source.

/** Measured values of one poll. */
export interface LadderLook {
  readonly viewers: number;
  /** Media time written, milliseconds; 0 without a process. */
  readonly sentMs: number;
  /** Frame rate of the slowest rendition relative to the expected rate; 1 while unknown. */
  readonly pictureShare: number;
}

/** Averaging time of the speed, milliseconds: FFmpeg writes its progress in bursts. */
const speedOverMs = 10_000;
/** A ladder does not keep up below this speed, or below this value of `pictureShare`. */
const slowestSpeed = 0.95;
const fewestPictures = 0.85;
/** A ladder that does not keep up for this time counts as too slow, milliseconds. Short load peaks are normal. */
const slowForMs = 10_000;

export class LadderWatch {
  #watchedMs: number;
  #samples: { readonly atMs: number; readonly sentMs: number }[] = [];
  #slowSinceMs: number | undefined;
  #sendsSinceMs: number | undefined;
  #sourceSeenMs: number;

  constructor(nowMs: number) {
    this.#watchedMs = nowMs;
    this.#sourceSeenMs = nowMs;
  }

  /** A client requested the playlist. */
  ask(nowMs: number): void {
    this.#watchedMs = nowMs;
  }

  seeSource(nowMs: number): void {
    this.#sourceSeenMs = nowMs;
  }

  look({ viewers, sentMs, pictureShare }: LadderLook, nowMs: number): void {
    if (viewers > 0) this.#watchedMs = nowMs;
    const last = this.#samples.at(-1);
    // The process was replaced or has ended.
    if (sentMs === 0 || (last && sentMs < last.sentMs)) {
      this.#samples = [];
      this.#sendsSinceMs = undefined;
    }
    if (sentMs > 0) {
      this.#samples.push({ atMs: nowMs, sentMs });
      this.#sendsSinceMs ??= nowMs;
    }
    while (this.#samples.length > 2 && nowMs - this.#samples[1]!.atMs >= speedOverMs) this.#samples.shift();
    const isSlow = this.#isWholeWindow(nowMs) && (this.speed < slowestSpeed || pictureShare < fewestPictures);
    this.#slowSinceMs = isSlow ? (this.#slowSinceMs ?? nowMs) : undefined;
  }

  /** Milliseconds since the last viewer or playlist request. */
  idleMs(nowMs: number): number {
    return nowMs - this.#watchedMs;
  }

  sourceGoneMs(nowMs: number): number {
    return nowMs - this.#sourceSeenMs;
  }

  /** Milliseconds since the first media; 0 before. */
  sendsForMs(nowMs: number): number {
    return this.#sendsSinceMs === undefined ? 0 : nowMs - this.#sendsSinceMs;
  }

  /** Media time divided by elapsed time; 0 while unknown. */
  get speed(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.atMs === first.atMs) return 0;
    return Math.round((100 * (last.sentMs - first.sentMs)) / (last.atMs - first.atMs)) / 100;
  }

  isTooSlow(nowMs: number): boolean {
    return this.#slowSinceMs !== undefined && nowMs - this.#slowSinceMs >= slowForMs;
  }

  #isWholeWindow(nowMs: number): boolean {
    const first = this.#samples[0];
    return first !== undefined && nowMs - first.atMs >= speedOverMs / 2;
  }
}
