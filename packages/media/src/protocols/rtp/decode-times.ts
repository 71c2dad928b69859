// Decode times of frames of which only presentation times are known, in decode order: the smallest presentation times seen so far, as
// many frames late as the encoder reorders. Pure.

/** Distance of the decode times before the first presentation time, milliseconds: about one frame. */
const leadStepMs = 20;
/** Smallest step, milliseconds. */
const minStepMs = 1;

export class DecodeTimes {
  /** Presentation times whose turn as a decode time has not come, ascending. */
  #waiting: number[] = [];
  #depth: number;
  readonly #maxDepth: number;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `depth`: frames that come before one shown earlier. Grows when the stream shows that there are more. */
  constructor(depth: number, maxDepth: number) {
    this.#depth = depth;
    this.#maxDepth = maxDepth;
  }

  /** Decode time of the next frame, milliseconds: later than the one before. */
  next(ptsMs: number): number {
    if (ptsMs < this.#lastMs && this.#depth < this.#maxDepth) this.#depth++;
    insert(this.#waiting, ptsMs);
    const missing = this.#depth + 1 - this.#waiting.length;
    const wantedMs = missing > 0 ? this.#waiting[0]! - missing * leadStepMs : this.#waiting.shift()!;
    this.#lastMs = Math.max(wantedMs, this.#lastMs + minStepMs);
    return this.#lastMs;
  }

  /** The encoder's clock has jumped, or frames were lost: restarts the clock. */
  restart(): void {
    this.#waiting = [];
  }
}

function insert(sorted: number[], value: number): void {
  let at = sorted.length;
  while (at > 0 && sorted[at - 1]! > value) at--;
  sorted.splice(at, 0, value);
}
