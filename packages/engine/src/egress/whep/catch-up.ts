// The pictures since the last keyframe as a joining viewer gets them: in their own numbers, but with times pressed together just before the
// present, so that the player shows the newest one at once instead of playing a GOP behind. Kept per viewer, because a packet that is sent
// again must be the packet that was sent: another time would tear its picture apart, and two packets of one number with different contents
// are what AES-GCM must never be given (RFC 7714 §8.1).
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** Distance of two pictures, 90 kHz ticks (3 ms). */
const stepTicks = 270;

export class CatchUp {
  /** Times of the pictures, oldest first. */
  readonly #times: Uint32Array;
  /** Where the last one was found: packets are asked for in order. */
  #last = 0;

  constructor(packets: readonly SharedRtpPacket[]) {
    this.#times = Uint32Array.from(new Set(packets.map(({ timestamp }) => timestamp)));
  }

  /** The packet's time for this viewer; its own when it was not part of this. */
  timestampOf({ timestamp }: SharedRtpPacket): number {
    const ahead = this.#times.indexOf(timestamp, this.#last);
    const index = ahead < 0 ? this.#times.indexOf(timestamp) : ahead;
    if (index < 0) return timestamp;
    this.#last = index;
    const newest = this.#times.at(-1)!;
    return (newest - (this.#times.length - 1 - index) * stepTicks) >>> 0;
  }
}
