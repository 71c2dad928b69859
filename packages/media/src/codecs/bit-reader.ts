// Reads big-endian bit fields. Never throws. Past the end, returns zeros and sets `overrun`, so that a parser checks only once.

/** Longest Exp-Golomb prefix, bits. H.264 and H.265 code values of at most 32 bits. */
const maxExpGolombPrefix = 32;

export class BitReader {
  position = 0;
  readonly #bytes: Uint8Array;
  readonly #sizeBits: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#sizeBits = bytes.length * 8;
  }

  get overrun(): boolean {
    return this.position > this.#sizeBits;
  }

  get bitsLeft(): number {
    return Math.max(0, this.#sizeBits - this.position);
  }

  /** Unsigned value of the next `count` bits (0 to 32). */
  readBits(count: number): number {
    let value = 0;
    for (let left = count; left > 0; ) {
      const bitOffset = this.position & 7;
      const take = Math.min(left, 8 - bitOffset);
      const byte = this.#bytes[this.position >>> 3] ?? 0;
      value = value * 2 ** take + ((byte >> (8 - bitOffset - take)) & ((1 << take) - 1));
      this.position += take;
      left -= take;
    }
    return value;
  }

  readFlag(): boolean {
    return this.readBits(1) === 1;
  }

  skip(count: number): void {
    this.position += count;
  }

  /** Copies bits from any position to bytes, padded with zero bits. The position of the reader does not change. */
  copy(start: number, count: number): Buffer {
    const bytes = Buffer.alloc(Math.ceil(count / 8));
    const shift = start & 7;
    for (let index = 0; index < bytes.length; index++) {
      const at = (start >>> 3) + index;
      const pair = ((this.#bytes[at] ?? 0) << 8) | (this.#bytes[at + 1] ?? 0);
      bytes[index] = (pair >> (8 - shift)) & 0xff;
    }
    const spare = 8 * bytes.length - count;
    if (spare > 0) bytes[bytes.length - 1]! &= 0xff << spare;
    return bytes;
  }

  alignToByte(): void {
    this.position = (this.position + 7) & ~7;
  }

  /** Unsigned Exp-Golomb code (ITU-T H.264 §9.1). */
  readUe(): number {
    let zeros = 0;
    while (zeros < maxExpGolombPrefix && !this.overrun && !this.readFlag()) zeros++;
    return 2 ** zeros - 1 + this.readBits(zeros);
  }

  /** Signed Exp-Golomb code (ITU-T H.264 §9.1.1). */
  readSe(): number {
    const code = this.readUe();
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2;
  }
}
