// Where converted sound lies on the stream's timeline. What goes into a converter has times, what comes out has only its
// number of samples: the count carries the time over, so that the output is even whatever the input's rounding; when count
// and time drift apart or the input jumps, a new anchor is set where the jump was. Pure.

/** Count and time may differ by this, milliseconds: one audio frame, less than eye and ear notice. */
const maxDriftMs = 20;
/** Weight of a new packet in the mean difference: about the last half second counts, so rounding and jitter do not. */
const driftWeight = 0.05;
/** A single packet this far off is a gap or a jump, milliseconds, and not jitter. */
const jumpMs = 100;
/** Anchors between what went in last and what came out last; more only if the converter stands still. */
const maxAnchors = 64;

interface Anchor {
  /** Milliseconds of sound that went in before. */
  readonly soundMs: number;
  readonly timeMs: number;
}

export class SampleTimeline {
  #anchors: Anchor[] = [];
  #soundInMs = 0;
  #driftMs = 0;

  /** A packet goes into the converter. `timeMs` is its presentation time. */
  pushInput(timeMs: number, durationMs: number): void {
    const last = this.#anchors.at(-1);
    const offMs = last ? timeMs - (last.timeMs + this.#soundInMs - last.soundMs) : 0;
    this.#driftMs += (offMs - this.#driftMs) * driftWeight;
    if (!last || Math.abs(offMs) > jumpMs || Math.abs(this.#driftMs) > maxDriftMs) {
      this.#anchors.push({ soundMs: this.#soundInMs, timeMs });
      if (this.#anchors.length > maxAnchors) this.#anchors.shift();
      this.#driftMs = 0;
    }
    this.#soundInMs += durationMs;
  }

  /** Time of the sound that comes out `soundMs` after the first; must be asked in ascending order. Undefined before any input. */
  timeOf(soundMs: number): number | undefined {
    while (this.#anchors.length > 1 && this.#anchors[1]!.soundMs <= soundMs) this.#anchors.shift();
    const anchor = this.#anchors[0];
    return anchor && anchor.timeMs + soundMs - anchor.soundMs;
  }
}
