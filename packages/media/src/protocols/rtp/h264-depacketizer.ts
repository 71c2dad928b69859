// Converts RTP payloads to H.264 access units, RFC 6184. Packets arrive in sequence order; a gap invalidates the frame in which it occurs.
import type { RtpPacket } from './rtp-packet.ts';

const stapA = 24;
const fuA = 28;
/** Largest access unit, bytes: a 4K keyframe at high quality is about a third of it. */
const maxAccessUnitBytes = 8 * 1024 * 1024;
/**
 * Maximum packets and units per access unit: 8 MB in parts of 512 bytes. Otherwise parts of one byte would use 100 times their size in
 * memory.
 */
export const maxAccessUnitParts = 16_384;

export interface AccessUnit {
  /** RTP timestamp, 90 kHz. */
  readonly timestamp: number;
  readonly units: Buffer[];
}

export class H264Depacketizer {
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
    if (packet.payload.length > 0) this.#read(packet.payload);
    // The timestamp change ends the frame if a sender never sets the marker; the marker ends it without waiting.
    return packet.marker ? (this.#finish() ?? previous) : previous;
  }

  #finish(): AccessUnit | undefined {
    const units = this.#units;
    const damaged = this.#damaged;
    const timestamp = this.#timestamp;
    const isIncomplete = damaged || this.#fragments !== undefined;
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
    const type = payload[0]! & 0x1f;
    if (type === stapA) this.#readAggregate(payload);
    else if (type === fuA) this.#readFragment(payload);
    else if (type > 0 && type < stapA) this.#add(payload);
    else this.#damaged = true; // STAP-B, MTAP and FU-B belong to mode 2, which is never negotiated
  }

  #readAggregate(payload: Buffer): void {
    let offset = 1;
    while (offset + 2 <= payload.length) {
      const end = offset + 2 + payload.readUInt16BE(offset);
      if (end > payload.length) {
        this.#damaged = true;
        return;
      }
      if (end > offset + 2) this.#add(payload.subarray(offset + 2, end));
      offset = end;
    }
  }

  #readFragment(payload: Buffer): void {
    if (payload.length < 3) {
      this.#damaged = true;
      return;
    }
    const header = payload[1]!;
    if (header & 0x80) {
      if (this.#fragments) this.#damaged = true;
      this.#fragments = [Buffer.from([(payload[0]! & 0xe0) | (header & 0x1f)])];
    }
    if (!this.#fragments) {
      this.#damaged = true;
      return;
    }
    const body = payload.subarray(2);
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
