// Receiver statistics of one source (RFC 3550 §6.4.1): loss, jitter, and data for the sender's round-trip time. Retransmitted packets count
// as received, so only packets that never arrive are lost.
import { type RtpPacket, rtpSequenceDistance } from './rtp-packet.ts';

/** A larger jump of sequence numbers means a restarted sender (RFC 3550 §A.1, MAX_DROPOUT). */
const largestJump = 3_000;
/** Largest value of a signed 24-bit field. */
const mostLost = 0x7f_ffff;
const fewestLost = -0x80_0000;
/** Weight of a new difference in the jitter (RFC 3550 §A.8). */
const jitterShare = 1 / 16;
/** Ticks per second of a compact NTP time. */
const delayTicksPerSecond = 65_536;

/** Content of a report block (RFC 3550 §6.4.1). */
export interface ReceptionReport {
  readonly ssrc: number;
  /** Loss since the last report, in 1/256, at most 255. */
  readonly lostShare: number;
  /** Lost packets since the source started; negative when duplicates exceed losses. */
  readonly lostPackets: number;
  /** Highest sequence number; the upper 16 bits count the wraps. */
  readonly highestSequence: number;
  /** Jitter in ticks of the source's clock. */
  readonly jitter: number;
  /** Middle 32 bits of the NTP time in the last sender report; 0 before the first report. */
  readonly lastReport: number;
  /** Delay from the arrival of the last sender report to this report, 1/65536 s. */
  readonly delay: number;
}

interface Source {
  readonly ssrc: number;
  readonly first: number;
  highest: number;
  received: number;
  expectedBefore: number;
  receivedBefore: number;
  jitter: number;
  arrivedMs: number;
  timestamp: number;
  sender: { readonly compactNtp: number; readonly atMs: number } | undefined;
}

export class RtpReception {
  readonly #clockRate: number;
  #source: Source | undefined;

  constructor(clockRate: number) {
    this.#clockRate = clockRate;
  }

  /** Adds a packet that arrived at `now`, monotonic milliseconds. */
  take({ ssrc, sequence, timestamp }: Pick<RtpPacket, 'ssrc' | 'sequence' | 'timestamp'>, now: number): void {
    const source = this.#source;
    const ahead = source && rtpSequenceDistance(sequence, source.highest & 0xffff);
    if (!source || source.ssrc !== ssrc || Math.abs(ahead!) > largestJump) {
      const counts = { highest: sequence, received: 1, expectedBefore: 0, receivedBefore: 0, jitter: 0 };
      this.#source = { ssrc, first: sequence, ...counts, arrivedMs: now, timestamp, sender: undefined };
      return;
    }
    source.received++;
    if (ahead! > 0) source.highest += ahead!;
    const ticks = ((now - source.arrivedMs) * this.#clockRate) / 1000 - ((timestamp - source.timestamp) | 0);
    source.jitter += (Math.abs(ticks) - source.jitter) * jitterShare;
    source.arrivedMs = now;
    source.timestamp = timestamp;
  }

  /** Stores the last sender report of the source. `compactNtp` contains the middle 32 bits of the report's NTP time. */
  takeSenderReport(ssrc: number, compactNtp: number, now: number): void {
    if (this.#source?.ssrc === ssrc) this.#source.sender = { compactNtp, atMs: now };
  }

  /** Returns the content of the next report block; undefined before the first packet. `lostShare` covers the time since the last call. */
  report(now: number): ReceptionReport | undefined {
    const source = this.#source;
    if (!source) return undefined;
    const { ssrc, received, sender } = source;
    const expected = source.highest - source.first + 1;
    const expectedNow = expected - source.expectedBefore;
    const lostNow = expectedNow - (received - source.receivedBefore);
    source.expectedBefore = expected;
    source.receivedBefore = received;
    return {
      ssrc,
      lostShare: expectedNow <= 0 ? 0 : Math.min(255, Math.max(0, Math.floor((lostNow * 256) / expectedNow))),
      lostPackets: Math.max(fewestLost, Math.min(mostLost, expected - received)),
      highestSequence: source.highest >>> 0,
      jitter: Math.floor(source.jitter) >>> 0,
      lastReport: sender?.compactNtp ?? 0,
      delay: sender ? Math.floor(((now - sender.atMs) * delayTicksPerSecond) / 1000) >>> 0 : 0,
    };
  }
}
