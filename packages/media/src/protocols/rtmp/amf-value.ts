// Values of AMF0 and AMF3 as plain values, and the limits of both parsers against "AMF bombs".
import { ProtocolError } from '../../protocol-error.ts';

export type AmfValue = number | string | boolean | null | undefined | Date | AmfValue[] | AmfObject;
export interface AmfObject {
  [key: string]: AmfValue;
}

/** Deepest nesting of objects and arrays in a message; encoders use three levels. */
export const maxAmfDepth = 16;
/**
 * Maximum number of values in a message. A reference counts as many values as its object. Keyframe indexes of long recordings have some
 * thousands.
 */
export const maxAmfValues = 16_384;
/** Longest AMF message, bytes. A connect message with tokens is below 8 kB, metadata with a keyframe index below 200 kB. */
export const maxAmfBytes = 256 * 1024;

/** True for an object with named members; false for an array, a date or null. */
export function isAmfObject(value: AmfValue): value is AmfObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Drops `__proto__`, so that no message can change a prototype. */
export function setMember(object: AmfObject, key: string, value: AmfValue): void {
  if (key !== '__proto__') object[key] = value;
}

interface Referable {
  readonly value: AmfValue;
  /** Number of values in this object, including the object itself. Undefined until all members are read. */
  cost: number | undefined;
}

/** Reads one AMF0 or AMF3 message, and limits nesting depth and number of values. */
export class AmfCursor {
  readonly bytes: Buffer;
  offset: number;
  #values = 0;
  #depth = 0;

  constructor(bytes: Buffer, offset = 0) {
    if (bytes.length > maxAmfBytes) throw new ProtocolError('amf', 'message too long', maxAmfBytes);
    this.bytes = bytes;
    this.offset = offset;
  }

  get atEnd(): boolean {
    return this.offset >= this.bytes.length;
  }

  /** Advances by `length` bytes and returns the previous offset. */
  take(length: number): number {
    const start = this.offset;
    if (start + length > this.bytes.length) throw new ProtocolError('amf', 'truncated', start);
    this.offset = start + length;
    return start;
  }

  uint8(): number {
    return this.bytes.readUInt8(this.take(1));
  }

  uint16(): number {
    return this.bytes.readUInt16BE(this.take(2));
  }

  uint32(): number {
    return this.bytes.readUInt32BE(this.take(4));
  }

  double(): number {
    return this.bytes.readDoubleBE(this.take(8));
  }

  utf8(length: number): string {
    const start = this.take(length);
    return this.bytes.toString('utf8', start, start + length);
  }

  countValues(count = 1): void {
    this.#values += count;
    if (this.#values > maxAmfValues) throw new ProtocolError('amf', 'too many values', this.offset);
  }

  /**
   * Reads the members of an object or array, one level deeper. Stores the number of values, because each reference to the object counts as
   * many values.
   */
  nested<T extends AmfValue>(references: AmfReferences, value: T, readMembers: (value: T) => void): T {
    if (++this.#depth > maxAmfDepth) throw new ProtocolError('amf', 'nested too deep', this.offset);
    const before = this.#values;
    const entry = references.add(value);
    readMembers(value);
    entry.cost = this.#values - before + 1;
    this.#depth--;
    return value;
  }

  /** Resolves a reference and counts the values of the referenced object again. Refuses an object that contains itself. */
  dereference(references: AmfReferences, index: number): AmfValue {
    const entry = references.get(index);
    if (entry?.cost === undefined) throw new ProtocolError('amf', 'bad reference', this.offset);
    this.countValues(entry.cost);
    return entry.value;
  }
}

/** Objects of one AMF0 message or one AMF3 value in order of appearance, as AMF numbers them. */
export class AmfReferences {
  readonly #entries: Referable[] = [];

  add(value: AmfValue, cost?: number): Referable {
    const entry: Referable = { value, cost };
    this.#entries.push(entry);
    return entry;
  }

  get(index: number): Referable | undefined {
    return this.#entries[index];
  }
}
