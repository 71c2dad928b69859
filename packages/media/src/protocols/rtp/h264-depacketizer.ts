// Converts RTP payloads to H.264 access units, RFC 6184. Packets must be in sequence order. A missing packet invalidates its frame.
import { h264NalType } from '../../codecs/h264.ts';
import { type AccessUnit, AccessUnitBuilder } from './access-unit-builder.ts';
import type { RtpPacket } from './rtp-packet.ts';

const stapA = 24;
const fuA = 28;

export class H264Depacketizer {
  readonly #builder = new AccessUnitBuilder();

  get damagedFrames(): number {
    return this.#builder.damaged;
  }

  /** Call before the packet that follows a gap. Drops the incomplete frame. */
  onGap(): void {
    this.#builder.damage();
  }

  /**
   * Returns the access unit that this packet completes; undefined if none or if a part is missing. Omits delimiters. Copies the payload.
   */
  push({ timestamp, payload, marker }: RtpPacket): AccessUnit | undefined {
    const previous = this.#builder.begin(timestamp);
    if (payload.length > 0) this.#read(payload);
    // The marker ends the frame immediately. If a sender never sets the marker, the next timestamp ends the frame.
    return marker ? (this.#builder.finish() ?? previous) : previous;
  }

  #read(payload: Buffer): void {
    const type = payload[0]! & 0x1f;
    if (type === stapA) this.#readAggregate(payload);
    else if (type === fuA) this.#readFragment(payload);
    else if (type > 0 && type < stapA) this.#add(payload);
    else this.#builder.damage(); // STAP-B, MTAP and FU-B belong to mode 2, which is never negotiated
  }

  #readAggregate(payload: Buffer): void {
    let offset = 1;
    while (offset + 2 <= payload.length) {
      const end = offset + 2 + payload.readUInt16BE(offset);
      if (end > payload.length) {
        this.#builder.damage();
        return;
      }
      if (end > offset + 2) this.#add(payload.subarray(offset + 2, end));
      offset = end;
    }
  }

  #readFragment(payload: Buffer): void {
    if (payload.length < 3) {
      this.#builder.damage();
      return;
    }
    const header = payload[1]!;
    if (header & 0x80) this.#builder.open([(payload[0]! & 0xe0) | (header & 0x1f)]);
    this.#builder.append(payload.subarray(2), (header & 0x40) !== 0);
  }

  #add(unit: Buffer): void {
    if ((unit[0]! & 0x1f) !== h264NalType.aud) this.#builder.add(unit);
  }
}
