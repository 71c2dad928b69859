// Acknowledgements (draft-sharabayko-srt-01 §3.2.4). A light ACK has one 32-bit word, a full ACK seven.
import { SrtProtocolError } from '../protocol-error.ts';

export interface FullAck {
  /** Every packet before this sequence number was received or skipped. */
  sequence: number;
  rttUs: number;
  rttVarianceUs: number;
  /** Free receiver buffer, packets. */
  availableBufferPackets: number;
  receivingPacketsPerSecond: number;
  linkCapacityPacketsPerSecond: number;
  receivingBytesPerSecond: number;
}

export interface Ack {
  sequence: number;
  /** Undefined for a light ACK. */
  full?: FullAck;
}

export function writeFullAck(ack: FullAck): Buffer {
  const body = Buffer.allocUnsafe(28);
  body.writeUInt32BE(ack.sequence, 0);
  body.writeUInt32BE(ack.rttUs >>> 0, 4);
  body.writeUInt32BE(ack.rttVarianceUs >>> 0, 8);
  body.writeUInt32BE(ack.availableBufferPackets >>> 0, 12);
  body.writeUInt32BE(ack.receivingPacketsPerSecond >>> 0, 16);
  body.writeUInt32BE(ack.linkCapacityPacketsPerSecond >>> 0, 20);
  body.writeUInt32BE(ack.receivingBytesPerSecond >>> 0, 24);
  return body;
}

export function writeLightAck(sequence: number): Buffer {
  const body = Buffer.allocUnsafe(4);
  body.writeUInt32BE(sequence, 0);
  return body;
}

/** Parses an ACK of any length that peers send: 4 (light), 16 (small, older peers), 24 or 28 bytes. */
export function parseAck(body: Buffer): Ack {
  if (body.length < 4) throw new SrtProtocolError('ACK without a sequence number', body.length);
  const sequence = body.readUInt32BE(0) & 0x7fff_ffff;
  if (body.length < 16) return { sequence };
  const word = (index: number) => (body.length >= (index + 1) * 4 ? body.readUInt32BE(index * 4) : 0);
  return {
    sequence,
    full: {
      sequence,
      rttUs: word(1),
      rttVarianceUs: word(2),
      availableBufferPackets: word(3),
      receivingPacketsPerSecond: word(4),
      linkCapacityPacketsPerSecond: word(5),
      receivingBytesPerSecond: word(6),
    },
  };
}
