// TSBPD: when a packet is due (draft-sharabayko-srt-01 §4.5). Maps the sender's 32-bit microsecond clock, which wraps, to the receiver's
// clock. Timestamps of ACKACK packets correct slow drift between both clocks (§4.7).

const wrapUs = 0x1_0000_0000;
const halfWrapUs = wrapUs / 2;
/** Number of samples for each decision about drift (§4.7). */
const driftSampleCount = 1000;
/** If the drift is larger, the base moves by this amount, and the correction gets the rest, microseconds (§4.7). */
const maxDriftUs = 5000;

export class TimestampBase {
  /** Time at which the sender's unwrapped clock was 0, microseconds of the receiver's clock. */
  #baseUs: number;
  #lastUnwrappedUs: number;
  #driftUs = 0;
  #driftSumUs = 0;
  #driftSamples = 0;

  /** @param timestampUs sender's clock in a packet that arrived at `nowUs`. */
  constructor(timestampUs: number, nowUs: number) {
    this.#baseUs = nowUs - timestampUs;
    this.#lastUnwrappedUs = timestampUs;
  }

  /** Converts a sender's timestamp to the receiver's clock, microseconds, without latency. */
  toReceiverTimeUs(timestampUs: number): number {
    return this.#baseUs + this.#driftUs + this.#unwrap(timestampUs);
  }

  /** Adds a sample of the sender's clock. Half of the change of the round-trip time counts as changed travel time. */
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
