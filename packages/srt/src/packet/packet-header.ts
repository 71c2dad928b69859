// The 16-byte header of every SRT packet (draft-sharabayko-srt-01 §3).
//
//   data     |0| sequence number (31)                  |   control  |1| type (15) | subtype (16)   |
//            |PP|O|KK|R| message number (26)           |            | type-specific information    |
//            | timestamp (32, us)                      |            | timestamp                    |
//            | destination socket id (32)              |            | destination socket id        |
import { SrtProtocolError } from '../protocol-error.ts';

export const headerBytes = 16;

export const controlType = {
  handshake: 0x0000,
  keepAlive: 0x0001,
  ack: 0x0002,
  nak: 0x0003,
  congestionWarning: 0x0004,
  shutdown: 0x0005,
  ackAck: 0x0006,
  dropRequest: 0x0007,
  peerError: 0x0008,
  userDefined: 0x7fff,
} as const;

/** KK field: the key that encrypted the payload. */
export const encryptionFlag = { none: 0, even: 1, odd: 2 } as const;
export type EncryptionFlag = (typeof encryptionFlag)[keyof typeof encryptionFlag];

export interface DataPacket {
  readonly kind: 'data';
  readonly sequence: number;
  /** PP field; 3: the packet contains the whole message (live mode). */
  readonly position: number;
  readonly inOrder: boolean;
  readonly encryption: number;
  readonly retransmitted: boolean;
  readonly messageNumber: number;
  /** Microseconds of the sender's clock, which wraps at 2^32. */
  readonly timestampUs: number;
  readonly destinationSocketId: number;
  readonly payload: Buffer;
}

export interface ControlPacket {
  readonly kind: 'control';
  readonly type: number;
  readonly subtype: number;
  readonly info: number;
  readonly timestampUs: number;
  readonly destinationSocketId: number;
  /** Control information field, empty for many types. */
  readonly body: Buffer;
}

export type SrtPacket = DataPacket | ControlPacket;

/** Parses a datagram without copying: payload and body are views. Throws SrtProtocolError for a datagram without a complete header. */
export function parsePacket(datagram: Buffer): SrtPacket {
  if (datagram.length < headerBytes) throw new SrtProtocolError('datagram shorter than an SRT header', datagram.length);
  const first = datagram.readUInt32BE(0);
  const second = datagram.readUInt32BE(4);
  const timestampUs = datagram.readUInt32BE(8);
  const destinationSocketId = datagram.readUInt32BE(12);
  const rest = datagram.subarray(headerBytes);
  if (first >= 0x8000_0000) {
    return {
      kind: 'control',
      type: (first >>> 16) & 0x7fff,
      subtype: first & 0xffff,
      info: second,
      timestampUs,
      destinationSocketId,
      body: rest,
    };
  }
  return {
    kind: 'data',
    sequence: first,
    position: second >>> 30,
    inOrder: (second & 0x2000_0000) !== 0,
    encryption: (second >>> 27) & 3,
    retransmitted: (second & 0x0400_0000) !== 0,
    messageNumber: second & 0x03ff_ffff,
    timestampUs,
    destinationSocketId,
    payload: rest,
  };
}

export interface DataHeader {
  sequence: number;
  encryption: EncryptionFlag;
  retransmitted: boolean;
  messageNumber: number;
  timestampUs: number;
  destinationSocketId: number;
}

/** Writes a data packet of live mode: a whole message (PP = 3), in order. */
export function writeDataPacket(header: DataHeader, payload: Buffer): Buffer {
  const packet = Buffer.allocUnsafe(headerBytes + payload.length);
  packet.writeUInt32BE(header.sequence, 0);
  const flags = 0xe000_0000 + header.encryption * 0x0800_0000 + (header.retransmitted ? 0x0400_0000 : 0);
  packet.writeUInt32BE(flags + (header.messageNumber & 0x03ff_ffff), 4);
  packet.writeUInt32BE(header.timestampUs >>> 0, 8);
  packet.writeUInt32BE(header.destinationSocketId >>> 0, 12);
  payload.copy(packet, headerBytes);
  return packet;
}

export interface ControlHeader {
  type: number;
  subtype?: number;
  info?: number;
  timestampUs: number;
  destinationSocketId: number;
}

/** Writes a control packet. Without a body it contains a zero word, which peers derived from UDT expect (§3.2.3 and libsrt). */
export function writeControlPacket(header: ControlHeader, body: Buffer = emptyControlBody): Buffer {
  const packet = Buffer.allocUnsafe(headerBytes + body.length);
  packet.writeUInt32BE(0x8000_0000 + header.type * 0x1_0000 + (header.subtype ?? 0), 0);
  packet.writeUInt32BE((header.info ?? 0) >>> 0, 4);
  packet.writeUInt32BE(header.timestampUs >>> 0, 8);
  packet.writeUInt32BE(header.destinationSocketId >>> 0, 12);
  body.copy(packet, headerBytes);
  return packet;
}

const emptyControlBody = Buffer.alloc(4);
