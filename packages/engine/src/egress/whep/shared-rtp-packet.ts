// An RTP packet shared by all viewers of a stream, with the same SSRC, sequence number and time. Only the payload type may differ: each
// viewer's offer assigns it.
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

  /** The bytes for a viewer whose offer assigned this payload type to the codec. Never write to them. */
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
