// Handshake control information and its extensions (draft-sharabayko-srt-01 §3.2.1).
//
//   | version | encryption (16) | extension (16) | initial sequence | MTU | flow window | type | socket id | SYN cookie | peer IP (128) |
//   followed, in a conclusion of version 5, by blocks | type (16) | length in words (16) | content |
import { isIP, isIPv4 } from 'node:net';
import { SrtProtocolError } from '../protocol-error.ts';

const handshakeBytes = 48;

export const handshakeType = {
  waveAHand: 0x0000_0000,
  induction: 0x0000_0001,
  conclusion: 0xffff_ffff,
  agreement: 0xffff_fffe,
} as const;

/** Marks an induction response as SRT in its extension field (§4.3.1.1). */
export const srtMagic = 0x4a17;

/** Bits of the extension field of a conclusion. */
export const extensionFlag = { handshake: 1, keyMaterial: 2, config: 4 } as const;

export const extensionType = {
  handshakeRequest: 1,
  handshakeResponse: 2,
  keyMaterialRequest: 3,
  keyMaterialResponse: 4,
  streamId: 5,
  congestion: 6,
  filter: 7,
  group: 8,
} as const;

/** Flags of the HSREQ/HSRSP extension (§3.2.1.1.1). */
export const srtFlag = {
  tsbpdSender: 0x01,
  tsbpdReceiver: 0x02,
  crypt: 0x04,
  tooLateDrop: 0x08,
  periodicNak: 0x10,
  retransmitFlag: 0x20,
  streamMode: 0x40,
  packetFilter: 0x80,
} as const;

export interface HandshakeExtension {
  type: number;
  content: Buffer;
}

export interface Handshake {
  version: number;
  /** Announced key length: 0 none, 2 AES-128, 3 AES-192, 4 AES-256. */
  encryption: number;
  extensionField: number;
  initialSequence: number;
  mtuBytes: number;
  flowWindowPackets: number;
  /** A `handshakeType`, or a rejection code of 1000 and more. */
  type: number;
  socketId: number;
  cookie: number;
  peerIp: string;
  extensions: HandshakeExtension[];
}

/** Parses the control information of a handshake packet. Throws SrtProtocolError for a truncated or inconsistent packet. */
export function parseHandshake(body: Buffer): Handshake {
  if (body.length < handshakeBytes) throw new SrtProtocolError('handshake shorter than 48 bytes', body.length);
  const version = body.readUInt32BE(0);
  const type = body.readUInt32BE(20);
  const carriesExtensions = version >= 5 && type === handshakeType.conclusion;
  return {
    version,
    encryption: body.readUInt16BE(4),
    extensionField: body.readUInt16BE(6),
    initialSequence: body.readUInt32BE(8) & 0x7fff_ffff,
    mtuBytes: body.readUInt32BE(12),
    flowWindowPackets: body.readUInt32BE(16),
    type,
    socketId: body.readUInt32BE(24),
    cookie: body.readUInt32BE(28),
    peerIp: readIpAddress(body, 32),
    extensions: carriesExtensions ? parseExtensions(body) : [],
  };
}

function parseExtensions(body: Buffer): HandshakeExtension[] {
  const extensions: HandshakeExtension[] = [];
  let offset = handshakeBytes;
  while (offset + 4 <= body.length) {
    const type = body.readUInt16BE(offset);
    const end = offset + 4 + body.readUInt16BE(offset + 2) * 4;
    if (end > body.length) throw new SrtProtocolError('handshake extension runs past the datagram', offset);
    extensions.push({ type, content: body.subarray(offset + 4, end) });
    offset = end;
  }
  return extensions;
}

export function writeHandshake(handshake: Handshake): Buffer {
  const size = handshake.extensions.reduce((sum, { content }) => sum + 4 + paddedLength(content), handshakeBytes);
  const body = Buffer.alloc(size);
  body.writeUInt32BE(handshake.version, 0);
  body.writeUInt16BE(handshake.encryption, 4);
  body.writeUInt16BE(handshake.extensionField, 6);
  body.writeUInt32BE(handshake.initialSequence, 8);
  body.writeUInt32BE(handshake.mtuBytes, 12);
  body.writeUInt32BE(handshake.flowWindowPackets, 16);
  body.writeUInt32BE(handshake.type, 20);
  body.writeUInt32BE(handshake.socketId >>> 0, 24);
  body.writeUInt32BE(handshake.cookie >>> 0, 28);
  writeIpAddress(handshake.peerIp, body, 32);
  let offset = handshakeBytes;
  for (const { type, content } of handshake.extensions) {
    body.writeUInt16BE(type, offset);
    body.writeUInt16BE(paddedLength(content) / 4, offset + 2);
    content.copy(body, offset + 4);
    offset += 4 + paddedLength(content);
  }
  return body;
}

function paddedLength(content: Buffer): number {
  return (content.length + 3) & ~3;
}

/** The words of the peer's IP are little-endian, as in libsrt. An IPv4 address is in the first word. */
function readIpAddress(body: Buffer, offset: number): string {
  if (body.readUInt32BE(offset + 4) === 0 && body.readUInt32BE(offset + 8) === 0) {
    return [3, 2, 1, 0].map((index) => body[offset + index]).join('.');
  }
  const groups: string[] = [];
  for (let word = 0; word < 4; word++) {
    const value = body.readUInt32LE(offset + word * 4);
    groups.push((value >>> 16).toString(16), (value & 0xffff).toString(16));
  }
  return groups.join(':');
}

function writeIpAddress(ip: string, body: Buffer, offset: number): void {
  const mapped = ip.startsWith('::ffff:') ? ip.slice(7) : ip;
  if (isIPv4(mapped)) {
    mapped.split('.').forEach((part, index) => {
      body[offset + 3 - index] = Number(part);
    });
  } else if (isIP(ip) === 6) {
    const groups = expandIpv6(ip);
    for (let word = 0; word < 4; word++) {
      body.writeUInt32LE((groups[word * 2]! * 0x1_0000 + groups[word * 2 + 1]!) >>> 0, offset + word * 4);
    }
  }
}

function expandIpv6(ip: string): number[] {
  const [head = '', tail] = ip.split('%')[0]!.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = new Array(tail === undefined ? 0 : 8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16) || 0);
}

/** Content of HSREQ and HSRSP (§3.2.1.1): version, flags, latencies. */
export interface SrtCapabilities {
  /** 0xMMmmpp, e.g. 0x010500. */
  srtVersion: number;
  flags: number;
  receiverLatencyMs: number;
  senderLatencyMs: number;
}

export function parseCapabilities(content: Buffer): SrtCapabilities {
  if (content.length < 12) throw new SrtProtocolError('HSREQ shorter than 12 bytes', content.length);
  return {
    srtVersion: content.readUInt32BE(0),
    flags: content.readUInt32BE(4),
    receiverLatencyMs: content.readUInt16BE(8),
    senderLatencyMs: content.readUInt16BE(10),
  };
}

export function writeCapabilities(capabilities: SrtCapabilities): Buffer {
  const content = Buffer.allocUnsafe(12);
  content.writeUInt32BE(capabilities.srtVersion, 0);
  content.writeUInt32BE(capabilities.flags, 4);
  content.writeUInt16BE(Math.min(capabilities.receiverLatencyMs, 0xffff), 8);
  content.writeUInt16BE(Math.min(capabilities.senderLatencyMs, 0xffff), 10);
  return content;
}

/** Parses a text extension (stream id, congestion), whose words have reversed bytes (§3.2.1.3). */
export function parseExtensionText(content: Buffer): string {
  const text = Buffer.from(content.subarray(0, content.length & ~3)).swap32();
  const end = text.indexOf(0);
  return text.toString('utf8', 0, end < 0 ? text.length : end);
}

export function writeExtensionText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const content = Buffer.alloc((bytes.length + 3) & ~3);
  bytes.copy(content);
  return content.swap32();
}
