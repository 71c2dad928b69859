// Derives decode times of frames in decode order that have only presentation times: the smallest presentation times so far, delayed by the
// encoder's reorder depth. Pure.

/** Step between the decode times that precede the first presentation time, milliseconds: about one frame. */
const leadStepMs = 20;
/** Minimum difference between two decode times, milliseconds. */
const minStepMs = 1;

export class DecodeTimes {
  /** Presentation times that have not been used as decode times yet, ascending. */
  #waiting: number[] = [];
  #depth: number;
  readonly #maxDepth: number;
  #lastMs = Number.NEGATIVE_INFINITY;

  /**
   * `depth`: number of frames that precede a frame in decode order and follow it in display order. Increases up to `maxDepth` when the
   * stream reorders more.
   */
  constructor(depth: number, maxDepth: number) {
    this.#depth = depth;
    this.#maxDepth = maxDepth;
  }

  /** Decode time of the next frame, milliseconds; later than the previous one. */
  next(ptsMs: number): number {
    if (ptsMs < this.#lastMs && this.#depth < this.#maxDepth) this.#depth++;
    insert(this.#waiting, ptsMs);
    const missing = this.#depth + 1 - this.#waiting.length;
    const wantedMs = missing > 0 ? this.#waiting[0]! - missing * leadStepMs : this.#waiting.shift()!;
    this.#lastMs = Math.max(wantedMs, this.#lastMs + minStepMs);
    return this.#lastMs;
  }

  /** Restarts after a jump of the encoder's clock or lost frames. */
  restart(): void {
    this.#waiting = [];
  }
}

function insert(sorted: number[], value: number): void {
  let at = sorted.length;
  while (at > 0 && sorted[at - 1]! > value) at--;
  sorted.splice(at, 0, value);
}
