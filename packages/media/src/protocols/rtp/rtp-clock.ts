// Converts RTP timestamps to milliseconds on one timeline. Unwraps the 32-bit clock. Audio and video clocks start at random; sender reports
// map both to the sender's wall clock (RFC 3550 §6.4.1).

const wrap = 2 ** 32;
/**
 * Maximum correction by a sender report, milliseconds. A larger one means that the sender's clock was set between the reports of its
 * sources, or that a report is wrong.
 */
const maxShiftMs = 10_000;

export class RtpClock {
  readonly #clockRate: number;
  #lastUnwrapped: number | undefined;
  /** Offset added to the unwrapped timestamp, milliseconds. */
  #offsetMs: number | undefined;
  #isSynchronised = false;

  /** `clockRate`: ticks per second. */
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
   * A sender report: `ntpMs` is the sender's wall clock at `rtpTimestamp`; `wallToMediaMs` translates it to the timeline,
   * the same for all sources of one sender. Only the first report moves the clock: later ones would make it jitter.
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
