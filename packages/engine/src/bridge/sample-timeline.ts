// Maps converted audio to the stream's timeline. FFmpeg's output has no timestamps, so the times are derived from a sample count. The
// output times are evenly spaced, although the input times are rounded. A new anchor relates count and time after a jump or drift of the
// input.

/** Maximum difference of sample count and input time, milliseconds: one audio frame, not noticeable. */
const maxDriftMs = 20;
/** Weight of a new packet in the mean difference. The mean covers about half a second, so rounding and jitter have no effect. */
const driftWeight = 0.05;
/** A larger difference of one packet is a gap or a jump, not jitter; milliseconds. */
const jumpMs = 100;
/** Maximum number of anchors that the output has not reached. Only a stalled converter needs more. */
const maxAnchors = 64;

interface Anchor {
  /** Duration of all input before this anchor, milliseconds. */
  readonly audioMs: number;
  readonly timeMs: number;
}

export class SampleTimeline {
  #anchors: Anchor[] = [];
  #inputAudioMs = 0;
  #driftMs = 0;

  /** @param timeMs presentation time of the packet. */
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

  /** Returns the time of the output `audioMs` after the first sample; undefined before any input. Call in ascending order. */
  timeOf(audioMs: number): number | undefined {
    while (this.#anchors.length > 1 && this.#anchors[1]!.audioMs <= audioMs) this.#anchors.shift();
    const anchor = this.#anchors[0];
    return anchor && anchor.timeMs + audioMs - anchor.audioMs;
  }
}
