// Converts RTP timestamps (32 bits, wrapping) to milliseconds. Audio and video clocks start at random values; sender reports map both
// clocks to the sender's wall clock (RFC 3550 §6.4.1).

const wrap = 2 ** 32;
/**
 * Maximum correction by a sender report, milliseconds. A larger correction means a wrong report, or that the sender's clock was set between
 * two reports.
 */
const maxShiftMs = 10_000;

export class RtpClock {
  readonly #clockRate: number;
  #lastUnwrapped: number | undefined;
  #offsetMs: number | undefined;
  #isSynchronised = false;

  constructor(clockRate: number) {
    this.#clockRate = clockRate;
  }

  /** Media time of a packet, milliseconds. Until the first sender report, the arrival of the first packet is the origin. */
  toMs(timestamp: number, now: number): number {
    const ms = (this.#unwrap(timestamp) * 1000) / this.#clockRate;
    this.#offsetMs ??= now - ms;
    return ms + this.#offsetMs;
  }

  /**
   * Applies a sender report: `ntpMs` is the sender's wall clock at `rtpTimestamp`. `wallToMediaMs` converts wall clock to media time, and
   * is equal for all sources of a sender. Later reports are ignored: otherwise, the clock would jitter.
   */
  synchronise(ntpMs: number, rtpTimestamp: number, wallToMediaMs: number): void {
    if (this.#isSynchronised) return;
    this.#isSynchronised = true;
    const offsetMs = ntpMs + wallToMediaMs - (this.#unwrap(rtpTimestamp) * 1000) / this.#clockRate;
    if (this.#offsetMs === undefined || Math.abs(offsetMs - this.#offsetMs) <= maxShiftMs) this.#offsetMs = offsetMs;
  }

  #unwrap(timestamp: number): number {
    const last = this.#lastUnwrapped ?? timestamp;
    let unwrapped = last - (((last % wrap) + wrap) % wrap) + timestamp;
    if (unwrapped - last > wrap / 2) unwrapped -= wrap;
    else if (last - unwrapped > wrap / 2) unwrapped += wrap;
    if (this.#lastUnwrapped === undefined || unwrapped > last) this.#lastUnwrapped = unwrapped;
    return unwrapped;
  }
}
