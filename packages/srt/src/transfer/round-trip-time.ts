// Smoothed round-trip time (draft-sharabayko-srt-01 §4.10). The weight of a new sample is 1/8 for the time and 1/4 for its variance.

const initialRttUs = 100_000;
const initialVarianceUs = 50_000;

export class RoundTripTime {
  #rttUs = initialRttUs;
  #varianceUs = initialVarianceUs;
  #hasSample = false;

  get rttUs(): number {
    return this.#rttUs;
  }

  get varianceUs(): number {
    return this.#varianceUs;
  }

  add(sampleUs: number): void {
    if (!this.#hasSample) {
      this.#hasSample = true;
      this.#rttUs = sampleUs;
      this.#varianceUs = sampleUs / 2;
      return;
    }
    this.#varianceUs = (3 * this.#varianceUs + Math.abs(sampleUs - this.#rttUs)) / 4;
    this.#rttUs = (7 * this.#rttUs + sampleUs) / 8;
  }

  /** Time after which a response counts as lost, microseconds. */
  get timeoutUs(): number {
    return this.#rttUs + 4 * this.#varianceUs;
  }
}
