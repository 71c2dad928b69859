// Parses STUN messages of ICE (RFC 8489 §5, RFC 8445 §7). Nothing is verified here: `hasIntegrity` authenticates the sender, and
// `IceLiteAgent` decides on the response.
import { crc32 } from 'node:zlib';
import { ProtocolError } from '../../protocol-error.ts';
import { readXorAddress, type StunAddress } from './stun-address.ts';
import {
  attributeBytes,
  attributeHeaderBytes,
  fingerprintMask,
  integrityBytes,
  stunAttribute,
  stunCookie,
  stunHeaderBytes,
} from './stun-format.ts';

export type StunClass = 'request' | 'indication' | 'success' | 'error';

/** Content of one message. Of repeated attributes, the first is used (RFC 8489 §14). */
export interface StunMessage {
  readonly class: StunClass;
  readonly method: number;
  /** 12 bytes; a view. */
  readonly transactionId: Buffer;
  /** RFC 8489 §14.3; in ICE `<receiver's ufrag>:<sender's ufrag>` (RFC 8445 §7.2.2). */
  username: string | undefined;
  /** RFC 8445 §7.1.1. */
  priority: number | undefined;
  /** The controlling side nominates the pair with this check (RFC 8445 §7.1.2). */
  useCandidate: boolean;
  /** Tie-breaker of a sender that considers itself controlling (RFC 8445 §7.1.3). */
  iceControlling: bigint | undefined;
  /** Tie-breaker of a sender that considers itself controlled (RFC 8445 §7.1.3). */
  iceControlled: bigint | undefined;
  /** Source address of the request, in a success response (RFC 8489 §14.2). */
  mappedAddress: StunAddress | undefined;
  errorCode: number | undefined;
  /** Offset of MESSAGE-INTEGRITY; 0 for none (RFC 8489 §14.5). */
  integrityOffset: number;
  /** Whether FINGERPRINT is present and correct (RFC 8489 §14.7). */
  fingerprint: 'missing' | 'right' | 'wrong';
  /** Unknown attribute types that the receiver must understand (RFC 8489 §14), in order. */
  readonly unknownRequired: number[];
}

/** Maximum number of attributes; a browser's check has nine. */
const maxAttributes = 32;
/** Two username fragments of 256 characters and a colon (RFC 8839 §5.4). */
const maxUsernameBytes = 513;

const classes: readonly StunClass[] = ['request', 'indication', 'success', 'error'];
const understood: ReadonlySet<number> = new Set(Object.values(stunAttribute));
/** Receivers must understand lower attribute types (RFC 8489 §14). */
const firstOptionalType = 0x8000;

/** Detects STUN on a port with DTLS, RTP and RTCP, by the first byte (RFC 7983 §7) and the cookie. */
export function isStun(datagram: Buffer): boolean {
  return datagram.length >= stunHeaderBytes && datagram[0]! <= 3 && datagram.readUInt32BE(4) === stunCookie;
}

/** Parses one datagram (RFC 8489 §5, §14). Throws ProtocolError when it is malformed. */
export function parseStunMessage(datagram: Buffer): StunMessage {
  if (!isStun(datagram)) throw new ProtocolError('stun', 'no STUN header with the magic cookie', 0);
  const length = datagram.readUInt16BE(2);
  if (length % 4 !== 0) throw new ProtocolError('stun', 'STUN message length is not a multiple of four', 2);
  if (stunHeaderBytes + length !== datagram.length)
    throw new ProtocolError('stun', 'STUN message length does not match the datagram', 2);
  const type = datagram.readUInt16BE(0);
  const message: StunMessage = {
    class: classes[((type >> 7) & 2) | ((type >> 4) & 1)]!,
    method: ((type & 0x3e00) >> 2) | ((type & 0x00e0) >> 1) | (type & 0x000f),
    transactionId: datagram.subarray(8, stunHeaderBytes),
    username: undefined,
    priority: undefined,
    useCandidate: false,
    iceControlling: undefined,
    iceControlled: undefined,
    mappedAddress: undefined,
    errorCode: undefined,
    integrityOffset: 0,
    fingerprint: 'missing',
    unknownRequired: [],
  };
  readAttributes(datagram, message);
  return message;
}

function readAttributes(datagram: Buffer, message: StunMessage): void {
  let count = 0;
  for (let offset = stunHeaderBytes; offset < datagram.length; ) {
    if (++count > maxAttributes) throw new ProtocolError('stun', 'too many attributes', offset);
    if (message.fingerprint !== 'missing') throw new ProtocolError('stun', 'attribute after FINGERPRINT', offset);
    const type = datagram.readUInt16BE(offset);
    const valueBytes = datagram.readUInt16BE(offset + 2);
    const next = offset + attributeBytes(valueBytes);
    if (next > datagram.length) throw new ProtocolError('stun', 'STUN attribute exceeds the message', offset);
    // Ignores attributes after MESSAGE-INTEGRITY, which are not authenticated (RFC 8489 §14.5).
    if (message.integrityOffset === 0 || type === stunAttribute.fingerprint) {
      readAttribute(datagram, message, { type, offset, end: offset + attributeHeaderBytes + valueBytes });
    }
    offset = next;
  }
}

interface AttributePlace {
  readonly type: number;
  readonly offset: number;
  readonly end: number;
}

function readAttribute(datagram: Buffer, message: StunMessage, place: AttributePlace): void {
  const value = place.offset + attributeHeaderBytes;
  switch (place.type) {
    case stunAttribute.username:
      message.username ??= readUsername(datagram, place);
      break;
    case stunAttribute.priority:
      checkBytes(place, 4);
      message.priority ??= datagram.readUInt32BE(value);
      break;
    case stunAttribute.useCandidate:
      checkBytes(place, 0);
      message.useCandidate = true;
      break;
    case stunAttribute.iceControlling:
      checkBytes(place, 8);
      message.iceControlling ??= datagram.readBigUInt64BE(value);
      break;
    case stunAttribute.iceControlled:
      checkBytes(place, 8);
      message.iceControlled ??= datagram.readBigUInt64BE(value);
      break;
    case stunAttribute.messageIntegrity:
      checkBytes(place, integrityBytes);
      message.integrityOffset = place.offset;
      break;
    case stunAttribute.fingerprint:
      checkBytes(place, 4);
      message.fingerprint = isFingerprintRight(datagram, place.offset) ? 'right' : 'wrong';
      break;
    case stunAttribute.xorMappedAddress:
      message.mappedAddress ??= readXorAddress(datagram, value, place.end);
      break;
    case stunAttribute.errorCode:
      message.errorCode ??= readErrorCode(datagram, place);
      break;
    default:
      if (place.type < firstOptionalType && !understood.has(place.type)) message.unknownRequired.push(place.type);
  }
}

function checkBytes({ offset, end }: AttributePlace, bytes: number): void {
  if (end - offset - attributeHeaderBytes !== bytes)
    throw new ProtocolError('stun', 'STUN attribute has the wrong length', offset);
}

function readUsername(datagram: Buffer, { offset, end }: AttributePlace): string {
  const start = offset + attributeHeaderBytes;
  if (end - start > maxUsernameBytes) throw new ProtocolError('stun', 'USERNAME is too long', offset);
  return datagram.toString('utf8', start, end);
}

/** The hundreds are in three bits, the rest in a separate byte (RFC 8489 §14.8). */
function readErrorCode(datagram: Buffer, { offset, end }: AttributePlace): number {
  if (end - offset < attributeHeaderBytes + 4)
    throw new ProtocolError('stun', 'STUN attribute has the wrong length', offset);
  return (datagram[offset + 6]! & 7) * 100 + datagram[offset + 7]!;
}

/**
 * FINGERPRINT is the XORed CRC-32 of all preceding bytes (RFC 8489 §14.7). The header length already includes FINGERPRINT, because it is
 * the last attribute.
 */
function isFingerprintRight(datagram: Buffer, offset: number): boolean {
  const expected = (crc32(datagram.subarray(0, offset)) ^ fingerprintMask) >>> 0;
  return datagram.readUInt32BE(offset + attributeHeaderBytes) === expected;
}
