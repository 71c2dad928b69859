// Derives decode times from presentation times of frames in decode order. Uses the sorted presentation times, delayed by the encoder's
// reorder depth.

/** Step between decode times before the first presentation time, milliseconds: about one frame. */
const leadStepMs = 20;
/** Minimum difference between two decode times, milliseconds. */
const minStepMs = 1;

export class DecodeTimes {
  /** Presentation times not yet used as decode times, ascending. */
  #waiting: number[] = [];
  #depth: number;
  readonly #maxDepth: number;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `depth`: number of frames that are decoded before a frame but displayed later. Grows up to `maxDepth` if the stream reorders more. */
  constructor(depth: number, maxDepth: number) {
    this.#depth = depth;
    this.#maxDepth = maxDepth;
  }

  /** Decode time of the next frame, milliseconds. Each decode time is later than the previous one. */
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
