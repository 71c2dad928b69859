// An RTP packet with the same SSRC, sequence number and timestamp for all viewers. The payload type may differ, because each viewer's offer
// assigns it.
import { type RtpPacket, writeRtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';

export class SharedRtpPacket {
  readonly sequence: number;
  readonly timestamp: number;
  readonly #datagram: Buffer;
  readonly #payloadType: number;
  #others: Map<number, Buffer> | undefined;

  constructor(packet: RtpPacket) {
    this.sequence = packet.sequence;
    this.timestamp = packet.timestamp;
    this.#payloadType = packet.payloadType;
    this.#datagram = writeRtpPacket(packet);
  }

  get bytes(): number {
    return this.#datagram.length;
  }

  /** Returns the bytes with this payload type. Callers must not modify the bytes. */
  forPayloadType(payloadType: number): Buffer {
    if (payloadType === this.#payloadType) return this.#datagram;
    this.#others ??= new Map();
    let copy = this.#others.get(payloadType);
    if (!copy) {
      copy = Buffer.from(this.#datagram);
      copy[1] = (copy[1]! & 0x80) | payloadType;
      this.#others.set(payloadType, copy);
    }
    return copy;
  }
}
