// The part of AMF0 that RTMP commands use (Adobe AMF0 specification §2).
// The bench uses its own implementation, so that errors of the product are detected.

type AmfObject = { [key: string]: AmfValue };
export type AmfValue = number | boolean | string | null | AmfObject | AmfValue[];

export function writeAmf(...values: AmfValue[]): Buffer {
  return Buffer.concat(values.map(writeValue));
}

function writeValue(value: AmfValue): Buffer {
  if (value === null) return Buffer.from([5]);
  if (typeof value === 'boolean') return Buffer.from([1, Number(value)]);
  if (typeof value === 'string') return Buffer.concat([Buffer.from([2]), writeText(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  const pairs = Object.entries(value).flatMap(([key, item]) => [writeText(key), writeValue(item)]);
  return Buffer.concat([Buffer.from([3]), ...pairs, Buffer.from([0, 0, 9])]);
}

function writeText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}

/** Parses values until the bytes end or a type is unknown. */
export function parseAmf(bytes: Buffer): AmfValue[] {
  const values: AmfValue[] = [];
  const reader = new AmfReader(bytes);
  try {
    while (!reader.isAtEnd) values.push(reader.value());
  } catch {
    // An incomplete or unknown value ends the list.
  }
  return values;
}

class AmfReader {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  value(): AmfValue {
    const type = this.#bytes[this.#skip(1)];
    if (type === 0) return this.#bytes.readDoubleBE(this.#skip(8));
    if (type === 1) return this.#bytes[this.#skip(1)] !== 0;
    if (type === 2) return this.#text();
    if (type === 3) return this.#object();
    if (type === 5 || type === 6) return null;
    if (type === 8) {
      this.#skip(4);
      return this.#object();
    }
    if (type === 10) return Array.from({ length: this.#bytes.readUInt32BE(this.#skip(4)) }, () => this.value());
    throw new Error(`AMF0 type ${type}`);
  }

  #skip(size: number): number {
    this.#at += size;
    return this.#at - size;
  }

  #text(): string {
    const size = this.#bytes.readUInt16BE(this.#skip(2));
    const start = this.#skip(size);
    return this.#bytes.toString('utf8', start, start + size);
  }

  #object(): AmfObject {
    const object: AmfObject = {};
    for (;;) {
      const key = this.#text();
      if (this.#bytes[this.#at] === 9) {
        this.#skip(1);
        return object;
      }
      object[key] = this.value();
    }
  }
}
