// Maps converted audio to the stream's timeline. FFmpeg's output has no timestamps, so its times are derived from a sample count. They are
// evenly spaced although input times are rounded. When the sample count and the input times drift apart, or the input jumps, a new anchor
// relates them. Pure.

/** Allowed difference of count and time, milliseconds: one audio frame, not noticeable. */
const maxDriftMs = 20;
/** Weight of a new packet in the mean difference: averages about half a second, so rounding and jitter have no effect. */
const driftWeight = 0.05;
/** A single packet with a larger difference is a gap or a jump, not jitter; milliseconds. */
const jumpMs = 100;
/** Maximum number of anchors between the newest input and the newest output; more are needed only if the converter stalls. */
const maxAnchors = 64;

interface Anchor {
  /** Duration of all earlier input, milliseconds. */
  readonly audioMs: number;
  readonly timeMs: number;
}

export class SampleTimeline {
  #anchors: Anchor[] = [];
  #inputAudioMs = 0;
  #driftMs = 0;

  /** Records an input packet. `timeMs` is its presentation time. */
  pushInput(timeMs: number, durationMs: number): void {
    const last = this.#anchors.at(-1);
    const offMs = last ? timeMs - (last.timeMs + this.#inputAudioMs - last.audioMs) : 0;
    this.#driftMs += (offMs - this.#driftMs) * driftWeight;
    if (!last || Math.abs(offMs) > jumpMs || Math.abs(this.#driftMs) > maxDriftMs) {
      this.#anchors.push({ audioMs: this.#inputAudioMs, timeMs });
      if (this.#anchors.length > maxAnchors) this.#anchors.shift();
      this.#driftMs = 0;
    }
    this.#inputAudioMs += durationMs;
  }

  /** Time of the output `audioMs` after the first sample; must be called in ascending order. Undefined before any input. */
  timeOf(audioMs: number): number | undefined {
    while (this.#anchors.length > 1 && this.#anchors[1]!.audioMs <= audioMs) this.#anchors.shift();
    const anchor = this.#anchors[0];
    return anchor && anchor.timeMs + audioMs - anchor.audioMs;
  }
}
