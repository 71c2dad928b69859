// Converts RTP payloads to AV1 temporal units (RTP Payload Format for AV1 1.0, §4). Packets must be in sequence order. A missing packet
// invalidates its temporal unit.
import { maxObus, obuType, obuTypeOf, readLeb128, splitObus, withSizes } from '../../codecs/av1.ts';
import { type AccessUnit, AccessUnitBuilder } from './access-unit-builder.ts';
import type { RtpPacket } from './rtp-packet.ts';

const noHeader: readonly number[] = [];

export class Av1Depacketizer {
  readonly #builder = new AccessUnitBuilder();

  get damagedFrames(): number {
    return this.#builder.damaged;
  }

  /** Call before the packet that follows a gap. Drops the incomplete temporal unit. */
  onGap(): void {
    this.#builder.damage();
  }

  /**
   * Returns the temporal unit that this packet completes; undefined if none or if a part is missing. Omits delimiters. `units` have no OBU
   * size fields, `payload` has size fields. Copies the data.
   */
  push({ timestamp, payload, marker }: RtpPacket): AccessUnit | undefined {
    const previous = this.#builder.begin(timestamp);
    if (payload.length > 0) this.#read(payload);
    const unit = marker ? (this.#builder.finish() ?? previous) : previous;
    return unit && this.#toTemporalUnit(unit);
  }

  #read(payload: Buffer): void {
    const header = payload[0]!;
    const count = (header >> 4) & 3;
    for (let at = 1, index = 1; at < payload.length; index++) {
      const isRest = count > 0 && index === count;
      const size = isRest ? { value: payload.length - at, end: at } : readLeb128(payload, at);
      if (!size || size.end + size.value > payload.length) {
        this.#builder.damage();
        return;
      }
      const end = size.end + size.value;
      const isLast = isRest || end === payload.length;
      this.#take(payload.subarray(size.end, end), {
        continues: index === 1 && (header & 0x80) !== 0,
        isOpen: isLast && (header & 0x40) !== 0,
      });
      at = end;
    }
  }

  #take(element: Buffer, { continues, isOpen }: { continues: boolean; isOpen: boolean }): void {
    if (element.length === 0 && !continues && !isOpen) return;
    if (!continues) this.#builder.open(noHeader);
    this.#builder.append(element, !isOpen);
  }

  #toTemporalUnit({ timestamp, units }: AccessUnit): AccessUnit | undefined {
    const obus: Buffer[] = [];
    // Senders may keep the size fields of OBUs (§4.4). An element can then contain several OBUs.
    for (const unit of units) {
      obus.push(...splitObus(unit).filter((obu) => obuTypeOf(obu) !== obuType.temporalDelimiter));
      if (obus.length > maxObus) {
        this.#builder.damaged++;
        return undefined;
      }
    }
    return obus.length > 0 ? { timestamp, units: obus, payload: Buffer.concat(withSizes(obus)) } : undefined;
  }
}
