// Writes the few DER types that a certificate needs (ITU-T X.690), for HTTPS and for connections between the nodes of a cluster. Pure.

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(content.length), content]);
}

/** Encodes a length below 128 in one byte; a longer length as the number of its bytes, then the bytes (X.690 §8.1.3). */
function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...parts: Buffer[]) => element(0x30, ...parts);
export const set = (...parts: Buffer[]) => element(0x31, ...parts);
export const octetString = (content: Buffer) => element(0x04, content);
export const utf8String = (text: string) => element(0x0c, Buffer.from(text));
export const booleanTrue = element(0x01, Buffer.from([0xff]));
/** Constructed element with the context-specific tag `[number]`. */
export const explicit = (number: number, content: Buffer) => element(0xa0 | number, content);
/** Primitive element with the context-specific tag `[number]`. */
export const implicit = (number: number, content: Buffer) => element(0x80 | number, content);
export const bitString = (content: Buffer, unusedBits = 0) => element(0x03, Buffer.from([unusedBits]), content);

/** Encodes an INTEGER (X.690 §8.3). @param bytes big endian, unsigned. */
export function integer(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const significant = start < 0 ? Buffer.from([0]) : bytes.subarray(start);
  const needsSign = (significant[0] ?? 0) >= 0x80;
  return element(0x02, needsSign ? Buffer.concat([Buffer.from([0]), significant]) : significant);
}

/** Encodes an object identifier in dotted form, such as `1.2.840` (X.690 §8.19). */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** Encodes a time: UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280 §4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2)))
    : element(0x18, Buffer.from(digits));
}
