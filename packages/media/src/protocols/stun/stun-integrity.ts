// MESSAGE-INTEGRITY, RFC 8489 §14.5: an HMAC-SHA1 over all before it, the length in the header being that of a message that ends
// with it. The key is the password of the side that answers (RFC 8445 §7.2.2).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { attributeBytes, attributeHeaderBytes, integrityBytes, stunHeaderBytes } from './stun-format.ts';
import type { StunMessage } from './stun-message.ts';

/** Bytes behind the header of a message whose MESSAGE-INTEGRITY begins at `offset` and ends it. */
function coveredLength(offset: number): number {
  return offset + attributeBytes(integrityBytes) - stunHeaderBytes;
}

/**
 * Whether the sender of a message knew the password (RFC 8489 §9.1.3), or the key made of one; compared in constant time. False
 * for a message without MESSAGE-INTEGRITY.
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

/** The HMAC of a message that is being written, whose MESSAGE-INTEGRITY begins at `offset` (RFC 8489 §14.5). */
export function integrityOf(message: Buffer, offset: number, password: string | Buffer): Buffer {
  message.writeUInt16BE(coveredLength(offset), 2);
  return createHmac('sha1', password).update(message.subarray(0, offset)).digest();
}
