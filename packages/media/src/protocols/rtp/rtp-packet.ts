// RTP packets, RFC 3550 §5.1.
//
//   |V=2|P|X| CC |M| payload type | sequence number | timestamp | SSRC | CSRC … | extension | payload | padding |
import { ProtocolError } from '../../protocol-error.ts';

const rtpHeaderBytes = 12;

export interface RtpPacket {
  readonly marker: boolean;
  readonly payloadType: number;
  /** 16 bits. */
  readonly sequence: number;
  /** Clock of the payload type, 32 bits. */
  readonly timestamp: number;
  readonly ssrc: number;
  /** View of the payload in the datagram: without CSRCs, header extension and padding. */
  readonly payload: Buffer;
}

/** RTCP packet types 192 to 223 are in the position of the RTP marker bit and payload type (RFC 5761 §4). */
export function isRtcp(datagram: Buffer): boolean {
  return datagram.length >= 2 && datagram[1]! >= 192 && datagram[1]! <= 223;
}

/** The packet must have a complete header. */
export function payloadTypeOf(datagram: Buffer): number {
  return datagram[1]! & 0x7f;
}

/** The packet must have a complete header. */
export function ssrcOf(datagram: Buffer): number {
  return datagram.readUInt32BE(8);
}

export function parseRtpPacket(datagram: Buffer): RtpPacket {
  if (datagram.length < rtpHeaderBytes)
    throw new ProtocolError('rtp', 'RTP packet shorter than its header', datagram.length);
  const first = datagram[0]!;
  if (first >> 6 !== 2) throw new ProtocolError('rtp', 'RTP version is not 2', 0);
  let start = rtpHeaderBytes + (first & 0x0f) * 4;
  if (first & 0x10) {
    if (datagram.length < start + 4) throw new ProtocolError('rtp', 'RTP header extension is truncated', start);
    start += 4 + datagram.readUInt16BE(start + 2) * 4;
  }
  const padding = first & 0x20 ? (datagram[datagram.length - 1] ?? 0) : 0;
  const end = datagram.length - padding;
  if (start > end) throw new ProtocolError('rtp', 'RTP header or padding longer than the packet', start);
  return {
    marker: (datagram[1]! & 0x80) !== 0,
    payloadType: datagram[1]! & 0x7f,
    sequence: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    ssrc: datagram.readUInt32BE(8),
    payload: datagram.subarray(start, end),
  };
}

export function writeRtpPacket(packet: RtpPacket): Buffer {
  const datagram = Buffer.allocUnsafe(rtpHeaderBytes + packet.payload.length);
  datagram[0] = 0x80;
  datagram[1] = (packet.marker ? 0x80 : 0) | packet.payloadType;
  datagram.writeUInt16BE(packet.sequence & 0xffff, 2);
  datagram.writeUInt32BE(packet.timestamp >>> 0, 4);
  datagram.writeUInt32BE(packet.ssrc >>> 0, 8);
  packet.payload.copy(datagram, rtpHeaderBytes);
  return datagram;
}

/** Distance from sequence number `b` to `a`, from -32768 to 32767 (RFC 1982 arithmetic). Positive if `a` is ahead. */
export function rtpSequenceDistance(a: number, b: number): number {
  return ((a - b) << 16) >> 16;
}
