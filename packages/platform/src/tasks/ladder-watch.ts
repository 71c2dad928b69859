// What is remembered of one ladder from look to look: when somebody last watched it, and whether it keeps up with its source. Pure:
// time is a parameter.

/** What one look sees. */
export interface LadderLook {
  readonly viewers: number;
  /** Media time written, milliseconds; 0 while no process runs. */
  readonly sentMs: number;
  /** Smallest share of the pictures it should make that a rendition makes; 1 while not known. */
  readonly pictureShare: number;
}

/** Speed is that of so long, milliseconds: the progress lines of FFmpeg come in bursts. */
const speedOverMs = 10_000;
/** Below this against the clock, or with fewer pictures than this share, it does not keep up. */
const slowestSpeed = 0.95;
const fewestPictures = 0.85;
/** It is called too slow after so long, milliseconds: a machine is busy for a moment now and then. */
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

  /** Somebody asked for the playlist. */
  ask(nowMs: number): void {
    this.#watchedMs = nowMs;
  }

  seeSource(nowMs: number): void {
    this.#sourceSeenMs = nowMs;
  }

  look({ viewers, sentMs, pictureShare }: LadderLook, nowMs: number): void {
    if (viewers > 0) this.#watchedMs = nowMs;
    const last = this.#samples.at(-1);
    // Another process, or none.
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

  /** Since somebody watched or asked, milliseconds. */
  idleMs(nowMs: number): number {
    return nowMs - this.#watchedMs;
  }

  sourceGoneMs(nowMs: number): number {
    return nowMs - this.#sourceSeenMs;
  }

  /** Since a look first saw that the process sends media, milliseconds; 0 before. */
  sendsForMs(nowMs: number): number {
    return this.#sendsSinceMs === undefined ? 0 : nowMs - this.#sendsSinceMs;
  }

  /** Media time against the clock; 0 while not known. */
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
