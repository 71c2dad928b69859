// Joins the NAL units of one access unit, or the OBUs of a temporal unit, with 4-byte length prefixes. Copies each part, because a view of
// a small part would keep the much larger network buffer alive.

/** Maximum size of an access unit, bytes. A high-quality 4K keyframe has about a third of this size. */
const maxAccessUnitBytes = 8 * 1024 * 1024;
/** Maximum parts per access unit: 8 MB in parts of 512 bytes. Limits the CPU time that an attacker can cause with smaller parts. */
export const maxAccessUnitParts = 16_384;
const prefixBytes = 4;
/** Maximum size of the buffer that is kept between access units, bytes. Most frames fit. The larger buffer of a keyframe is freed. */
const keptBytes = 32 * 1024;

export interface AccessUnit {
  /** RTP timestamp, 90 kHz. */
  readonly timestamp: number;
  /** Views of `payload`. For AV1, OBUs without size fields. */
  readonly units: readonly Buffer[];
  /** All units with 4-byte length prefixes. For AV1, OBUs with size fields. */
  readonly payload: Buffer;
}

export class AccessUnitBuilder {
  /** Access units dropped because a part was missing or malformed, or because the unit was too large. */
  damaged = 0;
  #buffer = Buffer.alloc(0);
  #size = 0;
  #parts = 0;
  #starts: number[] = [];
  #hasOpenUnit = false;
  #isDamaged = false;
  #timestamp: number | undefined;

  /** A part is missing or malformed: drops the access unit. */
  damage(): void {
    this.#isDamaged = true;
    this.#hasOpenUnit = false;
  }

  /** Call before the parts of a timestamp. A new timestamp ends the previous access unit, which is returned if complete. */
  begin(timestamp: number): AccessUnit | undefined {
    const previous = timestamp === this.#timestamp ? undefined : this.finish();
    this.#timestamp = timestamp;
    return previous;
  }

  /**
   * Adds a whole NAL unit. Drops the access unit if a fragmented unit is open: fragments are consecutive (RFC 6184 §5.8, RFC 7798 §4.4.3).
   */
  add(unit: Buffer): void {
    if (this.#hasOpenUnit) this.damage();
    this.#start();
    this.#append(unit);
  }

  open(header: readonly number[]): void {
    if (this.#hasOpenUnit) this.damage();
    this.#start();
    this.#hasOpenUnit = true;
    this.#reserve(header.length);
    for (const byte of header) this.#buffer[this.#size++] = byte;
  }

  append(body: Buffer, isLast: boolean): void {
    if (!this.#hasOpenUnit) {
      this.damage();
      return;
    }
    this.#append(body);
    if (isLast) this.#hasOpenUnit = false;
  }

  /** Ends the access unit. Returns undefined for an incomplete or empty access unit. */
  finish(): AccessUnit | undefined {
    const starts = this.#starts;
    const size = this.#size;
    const timestamp = this.#timestamp;
    const isIncomplete = this.#isDamaged || this.#hasOpenUnit;
    this.#starts = [];
    this.#size = 0;
    this.#parts = 0;
    this.#hasOpenUnit = false;
    this.#isDamaged = false;
    if (isIncomplete) this.damaged++;
    const isComplete = !isIncomplete && starts.length > 0 && timestamp !== undefined;
    const unit = isComplete ? this.#take(timestamp, starts, size) : undefined;
    if (this.#buffer.length > keptBytes) this.#buffer = Buffer.alloc(0);
    return unit;
  }

  #take(timestamp: number, starts: readonly number[], size: number): AccessUnit {
    const payload = Buffer.from(this.#buffer.subarray(0, size));
    const units = starts.map((start, index) => {
      const end = index + 1 < starts.length ? starts[index + 1]! - prefixBytes : size;
      payload.writeUInt32BE(end - start, start - prefixBytes);
      return payload.subarray(start, end);
    });
    return { timestamp, units, payload };
  }

  #start(): void {
    this.#reserve(prefixBytes);
    this.#size += prefixBytes;
    this.#starts.push(this.#size);
  }

  #append(part: Buffer): void {
    if (this.#size + part.length > maxAccessUnitBytes || ++this.#parts > maxAccessUnitParts) this.damage();
    if (this.#isDamaged) return;
    this.#reserve(part.length);
    this.#buffer.set(part, this.#size);
    this.#size += part.length;
  }

  #reserve(bytes: number): void {
    const wanted = this.#size + bytes;
    if (wanted <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(keptBytes, wanted, this.#buffer.length * 2));
    grown.set(this.#buffer.subarray(0, this.#size));
    this.#buffer = grown;
  }
}
