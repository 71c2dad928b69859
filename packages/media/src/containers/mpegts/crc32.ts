// CRC-32 of MPEG-TS sections, ISO/IEC 13818-1 Annex A: polynomial 0x04C11DB7, not reflected, initial value all ones.

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

/** Returns the checksum of `bytes`. The result is 0 for a section that ends with a valid checksum. */
export function mpegCrc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = ((crc << 8) ^ table[((crc >>> 24) ^ byte) & 0xff]!) >>> 0;
  return crc;
}
