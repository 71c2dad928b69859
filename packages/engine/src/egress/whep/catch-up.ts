// The pictures since the last keyframe as a joining viewer gets them: in their own numbers, but with times pressed together just before the
// present, so that the player shows the newest one at once instead of playing a GOP behind. Kept per viewer, because a number is one packet
// for it from then on: another time would tear its picture apart, and two packets of one number with different contents are what AES-GCM must
// never be given (RFC 7714 §8.1).
import { rtpSequenceDistance } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { historyPackets } from './packet-history.ts';
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** Distance of two pictures, 90 kHz ticks (3 ms). */
const stepTicks = 270;

export class CatchUp {
  /** Times of the pictures, oldest first. */
  readonly #times: Uint32Array;
  /** Numbers of the first and the last packet. */
  readonly #first: number;
  readonly #last: number;
  /** Where a time was found last: packets are asked for in order. */
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

  /** Nobody can ask for any of its packets again: their numbers will be those of others. */
  isOver({ sequence }: SharedRtpPacket): boolean {
    return Math.abs(rtpSequenceDistance(sequence, this.#last)) > historyPackets;
  }

  /** The packet's time for this viewer; its own when it was not part of this. */
  timestampOf(packet: SharedRtpPacket): number {
    if (!this.has(packet)) return packet.timestamp;
    const ahead = this.#times.indexOf(packet.timestamp, this.#hint);
    const index = ahead < 0 ? this.#times.indexOf(packet.timestamp) : ahead;
    if (index < 0) return packet.timestamp;
    this.#hint = index;
    return (this.#times.at(-1)! - (this.#times.length - 1 - index) * stepTicks) >>> 0;
  }
}
