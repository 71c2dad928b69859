// Assembles sections of program specific information from transport packets, ISO/IEC 13818-1 §2.4.4.

/** Maximum size of a section, bytes. The field section_length of PAT and PMT is at most 1021, and does not count the first 3 bytes. */
const maxSectionSize = 1024;

export class SectionAssembler {
  readonly #bytes = Buffer.alloc(maxSectionSize);
  #size = 0;
  #collecting = false;

  /** Returns the section that this payload completes. The next call overwrites the returned bytes. */
  push(payload: Buffer, isUnitStart: boolean): Buffer | undefined {
    if (!isUnitStart) return this.#append(payload);
    const start = 1 + (payload[0] ?? 0);
    if (start >= payload.length) return undefined;
    this.#size = 0;
    this.#collecting = true;
    return this.#append(payload.subarray(start));
  }

  #append(payload: Buffer): Buffer | undefined {
    if (!this.#collecting) return undefined;
    this.#size += payload.copy(this.#bytes, this.#size);
    if (this.#size < 3) return undefined;
    const total = 3 + (this.#bytes.readUInt16BE(1) & 0x0fff);
    if (total > maxSectionSize) this.#collecting = false;
    if (total > this.#size || total > maxSectionSize) return undefined;
    this.#collecting = false;
    return this.#bytes.subarray(0, total);
  }
}
