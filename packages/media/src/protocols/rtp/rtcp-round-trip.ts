// Measures round-trip time with RTCP. A report contains a time; the peer returns this time and its own delay. Senders use sender and
// receiver reports (RFC 3550 §6.4.1), receivers use extended reports (RFC 3611 §4.4, §4.5).

/** The middle 32 bits of an NTP time: seconds modulo 2^16 and 1/65536 s. */
export function compactNtp(ms: number): number {
  return Math.floor((ms / 1000) * 65_536) % 2 ** 32;
}

/** Seconds between the epochs of NTP (1900) and Unix (1970). */
export const ntpEpochOffsetSeconds = 2_208_988_800;

/** What a peer returns about the last report from this side. */
export interface ReportEcho {
  /** Time of the last report as `compactNtp`; 0 if the peer has received no report. */
  readonly lastReport: number;
  /** Delay from the arrival of the last report to this response, 1/65536 s. */
  readonly delay: number;
}

/** Longest plausible round trip, milliseconds. A longer value is an error of the peer. */
const longestRoundTripMs = 30_000;
/** Weight of a new sample in the mean, as in RFC 6298 §2 for TCP. */
const sampleWeight = 1 / 8;

/** Smoothed round trip of one peer. */
export class RtcpRoundTrip {
  #smoothedMs: number | undefined;

  /** Milliseconds with one decimal, at least 0.1; 0 while unknown. */
  get ms(): number {
    return this.#smoothedMs === undefined ? 0 : Math.max(1, Math.round(this.#smoothedMs * 10)) / 10;
  }

  /** Adds a response that arrived at `nowMs`, on the clock of this side's reports. Ignores impossible values. */
  add({ lastReport, delay }: ReportEcho, nowMs: number): void {
    if (lastReport === 0) return;
    const ticks = (compactNtp(nowMs) - lastReport - delay) | 0;
    const sampleMs = (ticks / 65_536) * 1000;
    if (sampleMs < -1 || sampleMs > longestRoundTripMs) return;
    const positiveMs = Math.max(0, sampleMs);
    this.#smoothedMs =
      this.#smoothedMs === undefined ? positiveMs : this.#smoothedMs + (positiveMs - this.#smoothedMs) * sampleWeight;
  }
}
