// MESSAGE-INTEGRITY (RFC 8489 §14.5) is an HMAC-SHA1 over all bytes before the attribute. The header length is set as if the message ended
// after the attribute. The key is the password of the responding side (RFC 8445 §7.2.2).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { attributeBytes, attributeHeaderBytes, integrityBytes, stunHeaderBytes } from './stun-format.ts';
import type { StunMessage } from './stun-message.ts';

/** Value of the header length that the HMAC covers. */
function coveredLength(offset: number): number {
  return offset + attributeBytes(integrityBytes) - stunHeaderBytes;
}

/**
 * Whether the sender of a message knows the password or the derived key (RFC 8489 §9.1.3). Compares in constant time. False for a message
 * without MESSAGE-INTEGRITY.
 */
export function hasIntegrity(datagram: Buffer, message: StunMessage, password: string | Buffer): boolean {
  const offset = message.integrityOffset;
  if (offset === 0) return false;
  const header = Buffer.from(datagram.subarray(0, stunHeaderBytes));
  header.writeUInt16BE(coveredLength(offset), 2);
  const mac = createHmac('sha1', password).update(header).update(datagram.subarray(stunHeaderBytes, offset)).digest();
  const start = offset + attributeHeaderBytes;
  return timingSafeEqual(mac, datagram.subarray(start, start + integrityBytes));
}

/** Returns the HMAC of an unfinished message. MESSAGE-INTEGRITY starts at `offset` (RFC 8489 §14.5). */
export function integrityOf(message: Buffer, offset: number, password: string | Buffer): Buffer {
  message.writeUInt16BE(coveredLength(offset), 2);
  return createHmac('sha1', password).update(message.subarray(0, offset)).digest();
}
