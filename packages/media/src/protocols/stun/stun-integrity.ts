// MESSAGE-INTEGRITY, RFC 8489 §14.5: an HMAC-SHA1 over all bytes before it, with a header length as if the message ended after it. The key
// is the password of the responding side (RFC 8445 §7.2.2).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { attributeBytes, attributeHeaderBytes, integrityBytes, stunHeaderBytes } from './stun-format.ts';
import type { StunMessage } from './stun-message.ts';

/** Header length of a message that ends with a MESSAGE-INTEGRITY at `offset`. */
function coveredLength(offset: number): number {
  return offset + attributeBytes(integrityBytes) - stunHeaderBytes;
}

/**
 * Whether the sender of a message knows the password (RFC 8489 §9.1.3), or the key derived from it; compared in constant time. False for a
 * message without MESSAGE-INTEGRITY.
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

/** The HMAC of a message under construction, whose MESSAGE-INTEGRITY starts at `offset` (RFC 8489 §14.5). */
export function integrityOf(message: Buffer, offset: number, password: string | Buffer): Buffer {
  message.writeUInt16BE(coveredLength(offset), 2);
  return createHmac('sha1', password).update(message.subarray(0, offset)).digest();
}
