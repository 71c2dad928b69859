// TSBPD: when a packet is due (draft-sharabayko-srt-01 §4.5). Unwraps the sender's 32-bit microsecond clock and maps it to the receiver's;
// follows slow drift between the two by the timestamps of ACKACK packets (§4.7).

const wrapUs = 0x1_0000_0000;
const halfWrapUs = wrapUs / 2;
/** Number of samples per drift decision (§4.7). */
const driftSampleCount = 1000;
/** Drift beyond this moves the base instead of the correction, microseconds (§4.7). */
const maxDriftUs = 5000;

export class TimestampBase {
  /** Receiver time, microseconds, at which the sender's unwrapped clock was 0. */
  #baseUs: number;
  #lastUnwrappedUs: number;
  #driftUs = 0;
  #driftSumUs = 0;
  #driftSamples = 0;

  /** `timestampUs` is the sender's clock in the packet that arrived at `nowUs`. */
  constructor(timestampUs: number, nowUs: number) {
    this.#baseUs = nowUs - timestampUs;
    this.#lastUnwrappedUs = timestampUs;
  }

  /** Receiver time of a sender timestamp, microseconds, without latency. */
  toReceiverTimeUs(timestampUs: number): number {
    return this.#baseUs + this.#driftUs + this.#unwrap(timestampUs);
  }

  /** Adds one sample of the sender's clock; half of `rttUs` is subtracted as the travel time. */
  addDriftSample(timestampUs: number, nowUs: number, rttUs: number, initialRttUs: number): void {
    const expectedUs = this.#baseUs + this.#unwrap(timestampUs) + (rttUs - initialRttUs) / 2;
    this.#driftSumUs += nowUs - expectedUs;
    if (++this.#driftSamples < driftSampleCount) return;
    const meanUs = this.#driftSumUs / this.#driftSamples;
    this.#driftSumUs = 0;
    this.#driftSamples = 0;
    const overflowUs = Math.abs(meanUs) > maxDriftUs ? Math.sign(meanUs) * maxDriftUs : 0;
    this.#baseUs += overflowUs;
    this.#driftUs = meanUs - overflowUs;
  }

  #unwrap(timestampUs: number): number {
    const lastUs = this.#lastUnwrappedUs;
    let unwrappedUs = lastUs - (((lastUs % wrapUs) + wrapUs) % wrapUs) + timestampUs;
    if (unwrappedUs - lastUs > halfWrapUs) unwrappedUs -= wrapUs;
    else if (lastUs - unwrappedUs > halfWrapUs) unwrappedUs += wrapUs;
    if (unwrappedUs > lastUs) this.#lastUnwrappedUs = unwrappedUs;
    return unwrappedUs;
  }
}
