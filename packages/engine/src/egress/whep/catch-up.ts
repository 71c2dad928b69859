// Gives a new viewer the frames since the last keyframe with compressed timestamps, so that the player shows the newest frame immediately
// instead of staying a GOP behind. Each viewer keeps its changed times, because a retransmitted packet must equal the original. Another
// timestamp would split the frame, and different packets with one sequence number break AES-GCM (RFC 7714 §8.1).
import { rtpSequenceDistance } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { historyPackets } from './packet-history.ts';
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** Interval of two frames, 90 kHz ticks (3 ms). */
const stepTicks = 270;

export class CatchUp {
  /** Times of the frames, oldest first. */
  readonly #times: Uint32Array;
  /** Numbers of the first and the last packet. */
  readonly #first: number;
  readonly #last: number;
  /** Position of the last search result: packets are requested in order. */
  #hint = 0;

  /** `packets`: at least one, in order, without gaps. */
  constructor(packets: readonly SharedRtpPacket[]) {
    this.#times = Uint32Array.from(new Set(packets.map(({ timestamp }) => timestamp)));
    this.#first = packets[0]!.sequence;
    this.#last = packets.at(-1)!.sequence;
  }

  has({ sequence }: SharedRtpPacket): boolean {
    return rtpSequenceDistance(sequence, this.#first) >= 0 && rtpSequenceDistance(sequence, this.#last) <= 0;
  }

  /** True when `packet` is so far ahead that packets of the catch-up can no longer be requested. */
  isOver({ sequence }: SharedRtpPacket): boolean {
    return Math.abs(rtpSequenceDistance(sequence, this.#last)) > historyPackets;
  }

  /** The packet's time for this viewer; its original time when it was not part of the catch-up. */
  timestampOf(packet: SharedRtpPacket): number {
    if (!this.has(packet)) return packet.timestamp;
    const ahead = this.#times.indexOf(packet.timestamp, this.#hint);
    const index = ahead < 0 ? this.#times.indexOf(packet.timestamp) : ahead;
    if (index < 0) return packet.timestamp;
    this.#hint = index;
    return (this.#times.at(-1)! - (this.#times.length - 1 - index) * stepTicks) >>> 0;
  }
}
