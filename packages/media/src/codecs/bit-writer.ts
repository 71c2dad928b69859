// Writes big-endian bit fields into a growing array. For configuration records, too slow for media packets.

export class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;

  /** Appends the low `count` bits (0 to 32) of `value`. */
  writeBits(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      if (this.#bits % 8 === 0) this.#bytes.push(0);
      const set = Math.floor(value / 2 ** bit) % 2;
      this.#bytes[this.#bytes.length - 1]! |= set << (7 - (this.#bits % 8));
      this.#bits++;
    }
  }

  alignToByte(): void {
    this.#bits = this.#bytes.length * 8;
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#bytes);
  }
}
