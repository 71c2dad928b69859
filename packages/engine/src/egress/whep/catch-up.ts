// Gives a new viewer the frames since the last keyframe with compressed timestamps. The player then shows the newest frame immediately
// instead of staying a GOP behind. The changed timestamps are kept per viewer, because a retransmitted packet must equal its original:
// different packets with one sequence number break AES-GCM (RFC 7714 §8.1).
import { rtpSequenceDistance } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { historyPackets } from './packet-history.ts';
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** Distance between consecutive frames of the catch-up: 3 ms, in ticks of the 90 kHz RTP clock. */
const stepTicks = 270;

export class CatchUp {
  /** Original timestamps in ascending order. */
  readonly #times: Uint32Array;
  readonly #first: number;
  readonly #last: number;
  /** Position of the last search: packets are requested in ascending order. */
  #hint = 0;

  /** @param packets at least one packet; in order and without gaps. */
  constructor(packets: readonly SharedRtpPacket[]) {
    this.#times = Uint32Array.from(new Set(packets.map(({ timestamp }) => timestamp)));
    this.#first = packets[0]!.sequence;
    this.#last = packets.at(-1)!.sequence;
  }

  has({ sequence }: SharedRtpPacket): boolean {
    return rtpSequenceDistance(sequence, this.#first) >= 0 && rtpSequenceDistance(sequence, this.#last) <= 0;
  }

  /** True when no packet of the catch-up can be requested any more. */
  isOver({ sequence }: SharedRtpPacket): boolean {
    return Math.abs(rtpSequenceDistance(sequence, this.#last)) > historyPackets;
  }

  /** Timestamp of a packet for this viewer. Packets outside the catch-up keep their timestamp. */
  timestampOf(packet: SharedRtpPacket): number {
    if (!this.has(packet)) return packet.timestamp;
    const ahead = this.#times.indexOf(packet.timestamp, this.#hint);
    const index = ahead < 0 ? this.#times.indexOf(packet.timestamp) : ahead;
    if (index < 0) return packet.timestamp;
    this.#hint = index;
    return (this.#times.at(-1)! - (this.#times.length - 1 - index) * stepTicks) >>> 0;
  }
}
