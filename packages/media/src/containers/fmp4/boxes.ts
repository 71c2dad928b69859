// Boxes of the ISO base media file format, ISO/IEC 14496-12 §4.2: 32-bit size, four-character type, payload.

type BoxPart = Buffer | readonly Buffer[];

/** Serializes a box whose payload is `parts` in this order. */
export function box(type: string, ...parts: readonly BoxPart[]): Buffer {
  const payload = parts.flat() as Buffer[];
  const size = payload.reduce((total, { length }) => total + length, boxHeaderBytes);
  return Buffer.concat([boxHeader(type, size), ...payload], size);
}

/** A box with version and flags (FullBox, §4.2.2). */
export function fullBox(type: string, version: number, flags: number, ...parts: readonly BoxPart[]): Buffer {
  return box(type, uint32((version << 24) | flags), ...parts);
}

export const boxHeaderBytes = 8;

/** Serializes a box header without the payload. `size` is the size of the whole box. */
export function boxHeader(type: string, size: number): Buffer {
  const header = Buffer.allocUnsafe(boxHeaderBytes);
  header.writeUInt32BE(size);
  header.write(type, 4, 'latin1');
  return header;
}

/** Truncates larger values to 16 bits: invalid values in a publisher's configuration must not cause an error. */
export function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 2);
  values.forEach((value, index) => {
    bytes.writeUInt16BE(value & 0xffff, index * 2);
  });
  return bytes;
}

/** Truncates negative and larger values to 32 bits. */
export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value >>> 0, index * 4);
  });
  return bytes;
}

export function zeros(bytes: number): Buffer {
  return Buffer.alloc(bytes);
}
