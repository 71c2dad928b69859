// AMF0 (Action Message Format, amf0-file-format-specification): values of RTMP commands and of onMetaData.
import { ProtocolError } from '../../protocol-error.ts';
import { AmfCursor, type AmfObject, AmfReferences, type AmfValue, setMember } from './amf-value.ts';
import { readAmf3Value } from './amf3.ts';

export type { AmfObject, AmfValue } from './amf-value.ts';

/** §2.1 type markers. */
const marker = {
  number: 0x00,
  boolean: 0x01,
  string: 0x02,
  object: 0x03,
  null: 0x05,
  undefined: 0x06,
  reference: 0x07,
  ecmaArray: 0x08,
  objectEnd: 0x09,
  strictArray: 0x0a,
  date: 0x0b,
  longString: 0x0c,
  unsupported: 0x0d,
  xmlDocument: 0x0f,
  typedObject: 0x10,
  avmplusObject: 0x11,
} as const;

/** Longest text of a short string or a member name, bytes (16-bit length). */
const maxShortString = 0xffff;

/** Wraps members that must be written as an ECMA array. Players expect this form in onMetaData. */
export class EcmaArray {
  readonly members: AmfObject;
  constructor(members: AmfObject) {
    this.members = members;
  }
}

/** All values of a message body. ECMA arrays and typed objects become plain objects. Throws `ProtocolError`. */
export function parseAmf0(bytes: Buffer): AmfValue[] {
  const cursor = new AmfCursor(bytes);
  const references = new AmfReferences();
  const values: AmfValue[] = [];
  while (!cursor.atEnd) values.push(readValue(cursor, references));
  return values;
}

function readValue(cursor: AmfCursor, references: AmfReferences): AmfValue {
  cursor.countValues();
  const type = cursor.uint8();
  switch (type) {
    case marker.number:
      return cursor.double();
    case marker.boolean:
      return cursor.uint8() !== 0;
    case marker.string:
      return cursor.utf8(cursor.uint16());
    case marker.object:
      return readObject(cursor, references);
    case marker.null:
      return null;
    case marker.undefined:
    case marker.unsupported:
      return undefined;
    case marker.reference:
      return cursor.dereference(references, cursor.uint16());
    case marker.ecmaArray:
      cursor.uint32(); // number of members, which encoders often set wrong; parsing stops at the end marker
      return readObject(cursor, references);
    case marker.strictArray:
      return readStrictArray(cursor, references);
    case marker.date:
      return readDate(cursor);
    case marker.longString:
    case marker.xmlDocument:
      return cursor.utf8(cursor.uint32());
    case marker.typedObject:
      cursor.utf8(cursor.uint16()); // class name
      return readObject(cursor, references);
    case marker.avmplusObject:
      return readAmf3Value(cursor);
    default:
      throw new ProtocolError('amf', `unknown AMF0 type ${type}`, cursor.offset - 1);
  }
}

function readObject(cursor: AmfCursor, references: AmfReferences): AmfObject {
  return cursor.nested<AmfObject>(references, {}, (object) => {
    for (;;) {
      const key = cursor.utf8(cursor.uint16());
      if (key === '' && cursor.bytes[cursor.offset] === marker.objectEnd) {
        cursor.offset++;
        return;
      }
      setMember(object, key, readValue(cursor, references));
    }
  });
}

function readStrictArray(cursor: AmfCursor, references: AmfReferences): AmfValue[] {
  const count = cursor.uint32();
  return cursor.nested<AmfValue[]>(references, [], (array) => {
    for (let i = 0; i < count; i++) array.push(readValue(cursor, references));
  });
}

function readDate(cursor: AmfCursor): Date {
  const date = new Date(cursor.double());
  cursor.take(2); // time zone, reserved: always 0
  return date;
}

/** Writes plain objects as AMF0 objects and `EcmaArray` as ECMA arrays. */
export function writeAmf0(...values: (AmfValue | EcmaArray)[]): Buffer {
  const parts: Buffer[] = [];
  for (const value of values) writeValue(parts, value);
  return Buffer.concat(parts);
}

function writeValue(parts: Buffer[], value: AmfValue | EcmaArray): void {
  if (value === null) parts.push(Buffer.of(marker.null));
  else if (value === undefined) parts.push(Buffer.of(marker.undefined));
  else if (typeof value === 'number') writeNumber(parts, value);
  else if (typeof value === 'boolean') parts.push(Buffer.of(marker.boolean, value ? 1 : 0));
  else if (typeof value === 'string') writeString(parts, value);
  else if (value instanceof Date) writeDate(parts, value);
  else if (value instanceof EcmaArray) writeEcmaArray(parts, value.members);
  else if (Array.isArray(value)) writeStrictArray(parts, value);
  else writeMembers(parts, Buffer.of(marker.object), value);
}

function writeNumber(parts: Buffer[], value: number): void {
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = marker.number;
  bytes.writeDoubleBE(value, 1);
  parts.push(bytes);
}

function writeString(parts: Buffer[], value: string): void {
  const text = Buffer.from(value, 'utf8');
  if (text.length <= maxShortString) {
    parts.push(Buffer.of(marker.string, text.length >>> 8, text.length & 0xff), text);
    return;
  }
  parts.push(lengthPrefixed(marker.longString, text.length), text);
}

function writeDate(parts: Buffer[], value: Date): void {
  const bytes = Buffer.alloc(11);
  bytes[0] = marker.date;
  bytes.writeDoubleBE(value.getTime(), 1);
  parts.push(bytes);
}

function writeEcmaArray(parts: Buffer[], members: AmfObject): void {
  writeMembers(parts, lengthPrefixed(marker.ecmaArray, Object.keys(members).length), members);
}

function writeStrictArray(parts: Buffer[], values: AmfValue[]): void {
  parts.push(lengthPrefixed(marker.strictArray, values.length));
  for (const value of values) writeValue(parts, value);
}

function writeMembers(parts: Buffer[], head: Buffer, members: AmfObject): void {
  parts.push(head);
  for (const [key, value] of Object.entries(members)) {
    const name = Buffer.from(key, 'utf8').subarray(0, maxShortString);
    parts.push(Buffer.of(name.length >>> 8, name.length & 0xff), name);
    writeValue(parts, value);
  }
  parts.push(Buffer.of(0, 0, marker.objectEnd));
}

function lengthPrefixed(type: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(5);
  bytes[0] = type;
  bytes.writeUInt32BE(length, 1);
  return bytes;
}
