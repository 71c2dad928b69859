// Converts RTP payloads to H.265 access units, RFC 7798 without DON. Packets must be in sequence order. A missing packet invalidates its
// frame.
import { h265NalType, h265TypeOf } from '../../codecs/h265.ts';
import { type AccessUnit, AccessUnitBuilder } from './access-unit-builder.ts';
import type { RtpPacket } from './rtp-packet.ts';

const aggregationType = 48;
const fragmentType = 49;
const headerBytes = 2;

export class H265Depacketizer {
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
    if (payload.length > headerBytes) this.#read(payload);
    return marker ? (this.#builder.finish() ?? previous) : previous;
  }

  #read(payload: Buffer): void {
    const type = h265TypeOf(payload);
    if (type === aggregationType) this.#readAggregate(payload);
    else if (type === fragmentType) this.#readFragment(payload);
    else if (type < aggregationType) this.#add(payload);
    else this.#builder.damage();
  }

  #readAggregate(payload: Buffer): void {
    for (let offset = headerBytes; offset + 2 <= payload.length; ) {
      const end = offset + 2 + payload.readUInt16BE(offset);
      if (end > payload.length) {
        this.#builder.damage();
        return;
      }
      if (end > offset + 2 + headerBytes) this.#add(payload.subarray(offset + 2, end));
      offset = end;
    }
  }

  #readFragment(payload: Buffer): void {
    const header = payload[headerBytes]!;
    if (header & 0x80) this.#builder.open([(payload[0]! & 0x81) | ((header & 0x3f) << 1), payload[1]!]);
    this.#builder.append(payload.subarray(headerBytes + 1), (header & 0x40) !== 0);
  }

  #add(unit: Buffer): void {
    if (h265TypeOf(unit) !== h265NalType.aud) this.#builder.add(unit);
  }
}
