// Converts RTP payloads to H.265 access units, RFC 7798 without DON. Packets arrive in sequence order; a gap invalidates the frame in which
// it occurs.
import { type AccessUnit, maxAccessUnitParts } from './h264-depacketizer.ts';
import type { RtpPacket } from './rtp-packet.ts';

const aggregationType = 48;
const fragmentType = 49;
const headerBytes = 2;
/** Largest access unit, bytes, as for H.264. */
const maxAccessUnitBytes = 8 * 1024 * 1024;

export class H265Depacketizer {
  #units: Buffer[] = [];
  #bytes = 0;
  #parts = 0;
  #fragments: Buffer[] | undefined;
  #timestamp: number | undefined;
  #damaged = false;
  /** Frames dropped because a part was missing or malformed. */
  damagedFrames = 0;

  /** Packets before this one are missing: the frame they belonged to cannot be completed. */
  onGap(): void {
    this.#damaged = true;
    this.#fragments = undefined;
  }

  /** Returns the access unit this packet completes, if it does and nothing of it is missing. */
  push(packet: RtpPacket): AccessUnit | undefined {
    const previous = packet.timestamp === this.#timestamp ? undefined : this.#finish();
    this.#timestamp = packet.timestamp;
    if (packet.payload.length > headerBytes) this.#read(packet.payload);
    return packet.marker ? (this.#finish() ?? previous) : previous;
  }

  #finish(): AccessUnit | undefined {
    const units = this.#units;
    const timestamp = this.#timestamp;
    const isIncomplete = this.#damaged || this.#fragments !== undefined;
    this.#units = [];
    this.#bytes = 0;
    this.#parts = 0;
    this.#fragments = undefined;
    this.#damaged = false;
    if (units.length === 0 && !isIncomplete) return undefined;
    if (isIncomplete || timestamp === undefined) {
      this.damagedFrames++;
      return undefined;
    }
    return { timestamp, units };
  }

  #read(payload: Buffer): void {
    const type = (payload[0]! >> 1) & 0x3f;
    if (type === aggregationType) this.#readAggregate(payload);
    else if (type === fragmentType) this.#readFragment(payload);
    else if (type < aggregationType) this.#add(payload);
    else this.#damaged = true;
  }

  #readAggregate(payload: Buffer): void {
    for (let offset = headerBytes; offset + 2 <= payload.length; ) {
      const end = offset + 2 + payload.readUInt16BE(offset);
      if (end > payload.length) {
        this.#damaged = true;
        return;
      }
      if (end > offset + 2 + headerBytes) this.#add(payload.subarray(offset + 2, end));
      offset = end;
    }
  }

  #readFragment(payload: Buffer): void {
    const header = payload[headerBytes]!;
    if (header & 0x80) {
      if (this.#fragments) this.#damaged = true;
      this.#fragments = [Buffer.from([(payload[0]! & 0x81) | ((header & 0x3f) << 1), payload[1]!])];
    }
    if (!this.#fragments) {
      this.#damaged = true;
      return;
    }
    const body = payload.subarray(headerBytes + 1);
    this.#bytes += body.length;
    if (this.#bytes > maxAccessUnitBytes || ++this.#parts > maxAccessUnitParts) this.#damaged = true;
    else this.#fragments.push(body);
    if (header & 0x40) {
      this.#units.push(Buffer.concat(this.#fragments));
      this.#fragments = undefined;
    }
  }

  #add(unit: Buffer): void {
    this.#bytes += unit.length;
    if (this.#bytes > maxAccessUnitBytes || ++this.#parts > maxAccessUnitParts) this.#damaged = true;
    else this.#units.push(unit);
  }
}
