// Writes one STUN message, attribute by attribute (RFC 8489 §5, §14), into a buffer of the maximum size.
import { crc32 } from 'node:zlib';
import { type StunAddress, writeXorAddress, xorAddressBytes } from './stun-address.ts';
import {
  attributeBytes,
  attributeHeaderBytes,
  fingerprintMask,
  integrityBytes,
  stunAttribute,
  stunCookie,
  stunHeaderBytes,
} from './stun-format.ts';
import { integrityOf } from './stun-integrity.ts';

export class StunBuilder {
  readonly #bytes: Buffer;
  #end = stunHeaderBytes;

  /** `maxAttributesBytes` is the sum of `attributeBytes` for all attributes except MESSAGE-INTEGRITY and FINGERPRINT. */
  constructor(type: number, transactionId: Buffer, maxAttributesBytes: number) {
    const endBytes = attributeBytes(integrityBytes) + attributeBytes(4);
    this.#bytes = Buffer.allocUnsafe(stunHeaderBytes + maxAttributesBytes + endBytes);
    this.#bytes.writeUInt16BE(type, 0);
    this.#bytes.writeUInt32BE(stunCookie, 4);
    transactionId.copy(this.#bytes, 8, 0, stunHeaderBytes - 8);
  }

  addBytes(type: number, value: Buffer): void {
    value.copy(this.#bytes, this.#open(type, value.length));
  }

  addUInt32(type: number, value: number): void {
    this.#bytes.writeUInt32BE(value >>> 0, this.#open(type, 4));
  }

  addUInt64(type: number, value: bigint): void {
    this.#bytes.writeBigUInt64BE(value, this.#open(type, 8));
  }

  /** RFC 8489 §14.2. */
  addXorAddress(address: StunAddress): void {
    writeXorAddress(this.#bytes, this.#open(stunAttribute.xorMappedAddress, xorAddressBytes(address)), address);
  }

  /** Only FINGERPRINT may follow (RFC 8489 §14.5). */
  addIntegrity(password: string | Buffer): void {
    const offset = this.#end;
    const value = this.#open(stunAttribute.messageIntegrity, integrityBytes);
    integrityOf(this.#bytes, offset, password).copy(this.#bytes, value);
  }

  /** Adds FINGERPRINT as the last attribute (RFC 8489 §14.7), and returns the message. */
  finish(): Buffer {
    const offset = this.#end;
    const value = this.#open(stunAttribute.fingerprint, 4);
    this.#bytes.writeUInt16BE(this.#end - stunHeaderBytes, 2);
    this.#bytes.writeUInt32BE((crc32(this.#bytes.subarray(0, offset)) ^ fingerprintMask) >>> 0, value);
    return this.#bytes.subarray(0, this.#end);
  }

  #open(type: number, valueBytes: number): number {
    const value = this.#end + attributeHeaderBytes;
    this.#bytes.writeUInt16BE(type, this.#end);
    this.#bytes.writeUInt16BE(valueBytes, this.#end + 2);
    this.#end += attributeBytes(valueBytes);
    this.#bytes.fill(0, value + valueBytes, this.#end);
    return value;
  }
}
