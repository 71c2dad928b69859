// State of one ladder between polls: when it was last watched, and whether it keeps up with its source. Pure: time is a parameter.

/** Input of one poll. */
export interface LadderLook {
  readonly viewers: number;
  /** Media time written, milliseconds; 0 without a process. */
  readonly sentMs: number;
  /** Smallest share of expected frames among the renditions; 1 while unknown. */
  readonly pictureShare: number;
}

/** Averaging time of the speed, milliseconds: FFmpeg writes its progress in bursts. */
const speedOverMs = 10_000;
/** Speed, or share of frames, below which a ladder does not keep up. */
const slowestSpeed = 0.95;
const fewestPictures = 0.85;
/** Time at this speed after which a ladder counts as too slow, milliseconds: short load peaks are normal. */
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

  /** Notes that a client requested the playlist. */
  ask(nowMs: number): void {
    this.#watchedMs = nowMs;
  }

  seeSource(nowMs: number): void {
    this.#sourceSeenMs = nowMs;
  }

  look({ viewers, sentMs, pictureShare }: LadderLook, nowMs: number): void {
    if (viewers > 0) this.#watchedMs = nowMs;
    const last = this.#samples.at(-1);
    // The process was replaced, or none runs.
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

  /** Time since the last viewer or request, milliseconds. */
  idleMs(nowMs: number): number {
    return nowMs - this.#watchedMs;
  }

  sourceGoneMs(nowMs: number): number {
    return nowMs - this.#sourceSeenMs;
  }

  /** Time since media was first seen, milliseconds; 0 before. */
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
