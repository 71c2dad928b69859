// H.264 in RTP (RFC 6184, packetization-mode 1): the parts that the load tools need.

/** Largest RTP payload, bytes. The packet then fits into usual MTUs, even with the overhead of SRTP and tunnels. */
const maxPayloadBytes = 1188;
const nalu = { slice: 1, idr: 5, sps: 7, stapA: 24, fuA: 28 } as const;

/** Splits one frame into payloads: STAP-A for small NALUs (§5.7.1), FU-A for large NALUs (§5.8). */
export function packetise(nalus: readonly Buffer[]): Buffer[] {
  const payloads: Buffer[] = [];
  let small: Buffer[] = [];
  const flush = (): void => {
    if (small.length > 0) payloads.push(small.length === 1 ? small[0]! : aggregate(small));
    small = [];
  };
  for (const one of nalus) {
    const aggregated = 1 + small.reduce((sum, { length }) => sum + 2 + length, 0);
    if (one.length > maxPayloadBytes || aggregated + 2 + one.length > maxPayloadBytes) flush();
    if (one.length > maxPayloadBytes) payloads.push(...fragment(one));
    else small.push(one);
  }
  flush();
  return payloads;
}

function aggregate(nalus: readonly Buffer[]): Buffer {
  const importance = Math.max(...nalus.map((one) => one[0]! & 0x60));
  const units = nalus.flatMap((one) => [Buffer.from([one.length >> 8, one.length & 255]), one]);
  return Buffer.concat([Buffer.from([importance | nalu.stapA]), ...units]);
}

function fragment(one: Buffer): Buffer[] {
  const payloads: Buffer[] = [];
  const indicator = (one[0]! & 0x60) | nalu.fuA;
  for (let start = 1; start < one.length; ) {
    const end = Math.min(one.length, start + maxPayloadBytes - 2);
    const flags = (start === 1 ? 0x80 : 0) | (end === one.length ? 0x40 : 0);
    payloads.push(Buffer.concat([Buffer.from([indicator, flags | (one[0]! & 31)]), one.subarray(start, end)]));
    start = end;
  }
  return payloads;
}

/** Whether this payload begins with an SPS, an IDR slice, or the first fragment of an IDR slice. */
export function startsKeyframe(payload: Buffer): boolean {
  const type = payload[0]! & 31;
  if (type === nalu.stapA) return payload.length > 3 && isKeyType(payload[3]! & 31);
  if (type === nalu.fuA) return (payload[1]! & 0x9f) === (0x80 | nalu.idr);
  return isKeyType(type);
}

function isKeyType(type: number): boolean {
  return type === nalu.idr || type === nalu.sps;
}

/** Whether the payload may contain an SEI NALU, alone or aggregated. */
export function mayHoldSei(payload: Buffer): boolean {
  const type = payload[0]! & 31;
  return type === 6 || type === nalu.stapA;
}

export interface RtpHeader {
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  readonly isLast: boolean;
}

/** RTP packet without extensions (RFC 3550 §5.1). */
export function writeRtp(header: RtpHeader, payload: Buffer): Buffer {
  const packet = Buffer.allocUnsafe(12 + payload.length);
  packet[0] = 0x80;
  packet[1] = (header.isLast ? 0x80 : 0) | header.payloadType;
  packet.writeUInt16BE(header.sequence & 0xffff, 2);
  packet.writeUInt32BE(header.timestamp >>> 0, 4);
  packet.writeUInt32BE(header.ssrc, 8);
  payload.copy(packet, 12);
  return packet;
}

export interface RtpPacket {
  readonly sequence: number;
  readonly timestamp: number;
  readonly isLast: boolean;
  /** Includes padding. Empty if the packet ends with its header extension. */
  readonly payload: Buffer;
}

/** Undefined for RTCP (RFC 5761 §4) and truncated packets. */
export function parseRtp(bytes: Buffer): RtpPacket | undefined {
  if (bytes.length < 13 || isRtcp(bytes, 0)) return undefined;
  let start = 12 + 4 * (bytes[0]! & 15);
  if (bytes[0]! & 16) start += 4 + 4 * bytes.readUInt16BE(start + 2);
  return {
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    isLast: (bytes[1]! & 0x80) !== 0,
    payload: bytes.subarray(Math.min(start, bytes.length)),
  };
}

function isRtcp(bytes: Buffer, at: number): boolean {
  return bytes[at + 1]! >= 192 && bytes[at + 1]! <= 223;
}

/** Feedback in a compound RTCP packet: NACK (RFC 4585 §6.2.1), PLI or FIR (§6.3.1; RFC 5104 §4.3.1). */
export function readFeedback(bytes: Buffer): { nacks: number; keyframeRequests: number } {
  const found = { nacks: 0, keyframeRequests: 0 };
  for (let at = 0; at + 8 <= bytes.length && isRtcp(bytes, at); at += 4 + 4 * bytes.readUInt16BE(at + 2)) {
    const format = bytes[at]! & 31;
    if (bytes[at + 1] === 205 && format === 1) found.nacks += 1;
    if (bytes[at + 1] === 206 && (format === 1 || format === 4)) found.keyframeRequests += 1;
  }
  return found;
}
