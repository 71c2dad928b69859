// Reads AMF3 (amf-file-format-spec). Flash encoders with objectEncoding 3 send AMF3 values after the AMF0 marker 0x11. Responses are always
// AMF0, which these encoders also accept.
import { ProtocolError } from '../../protocol-error.ts';
import { type AmfCursor, type AmfObject, AmfReferences, type AmfValue, setMember } from './amf-value.ts';

/** §3.1 type markers. */
const marker = {
  undefined: 0x00,
  null: 0x01,
  false: 0x02,
  true: 0x03,
  integer: 0x04,
  double: 0x05,
  string: 0x06,
  xmlDocument: 0x07,
  date: 0x08,
  array: 0x09,
  object: 0x0a,
  xml: 0x0b,
  byteArray: 0x0c,
} as const;

/** §3.12: names of the sealed members of a class. */
interface Traits {
  readonly dynamic: boolean;
  readonly names: string[];
}

/** Reference tables are valid for one value after one 0x11 marker (§4.1). */
interface Context {
  readonly cursor: AmfCursor;
  readonly strings: string[];
  readonly objects: AmfReferences;
  readonly traits: Traits[];
}

/** Reads one value. Skips byte arrays and returns undefined for them. Throws `ProtocolError`. */
export function readAmf3Value(cursor: AmfCursor): AmfValue {
  return readValue({ cursor, strings: [], objects: new AmfReferences(), traits: [] });
}

function readValue(context: Context): AmfValue {
  const { cursor } = context;
  cursor.countValues();
  const type = cursor.uint8();
  switch (type) {
    case marker.undefined:
      return undefined;
    case marker.null:
      return null;
    case marker.false:
      return false;
    case marker.true:
      return true;
    case marker.integer:
      return (readUint29(cursor) << 3) >> 3; // sign extension from 29 bits
    case marker.double:
      return cursor.double();
    case marker.string:
      return readString(context);
    case marker.xmlDocument:
    case marker.xml:
      return readReferable(context, (length) => cursor.utf8(length));
    case marker.date:
      return readReferable(context, () => new Date(cursor.double()));
    case marker.array:
      return readArray(context);
    case marker.object:
      return readObject(context);
    case marker.byteArray:
      return readReferable(context, (length) => {
        cursor.take(length);
        return undefined;
      });
    default:
      throw new ProtocolError('amf', `unsupported AMF3 type ${type}`, cursor.offset - 1);
  }
}

/** §1.3.1: up to three bytes with 7 bits and a "more" bit, then a byte with 8 bits. */
function readUint29(cursor: AmfCursor): number {
  let value = 0;
  for (let i = 0; i < 3; i++) {
    const byte = cursor.uint8();
    value = (value << 7) | (byte & 0x7f);
    if (byte < 0x80) return value;
  }
  return (value << 8) | cursor.uint8();
}

function readString({ cursor, strings }: Context): string {
  const header = readUint29(cursor);
  if ((header & 1) === 0) {
    const text = strings[header >>> 1];
    if (text === undefined) throw new ProtocolError('amf', 'bad string reference', cursor.offset);
    return text;
  }
  const text = cursor.utf8(header >>> 1);
  if (text !== '') strings.push(text);
  return text;
}

/** Reads a value that can be referenced and has no members: a date, XML or a byte array. */
function readReferable(context: Context, read: (length: number) => AmfValue): AmfValue {
  const { cursor, objects } = context;
  const header = readUint29(cursor);
  if ((header & 1) === 0) return cursor.dereference(objects, header >>> 1);
  const value = read(header >>> 1);
  objects.add(value, 1);
  return value;
}

function readArray(context: Context): AmfValue {
  const { cursor, objects } = context;
  const header = readUint29(cursor);
  if ((header & 1) === 0) return cursor.dereference(objects, header >>> 1);
  const firstName = readString(context);
  if (firstName !== '') return readAssociativeArray(context, firstName, header >>> 1);
  return cursor.nested<AmfValue[]>(objects, [], (array) => {
    for (let i = 0; i < header >>> 1; i++) array.push(readValue(context));
  });
}

/** Reads an array with named members (§3.11). The unnamed elements follow the named members and get their index as name. */
function readAssociativeArray(context: Context, firstName: string, denseCount: number): AmfObject {
  return context.cursor.nested<AmfObject>(context.objects, {}, (object) => {
    for (let name = firstName; name !== ''; name = readString(context)) setMember(object, name, readValue(context));
    for (let i = 0; i < denseCount; i++) object[i] = readValue(context);
  });
}

function readObject(context: Context): AmfValue {
  const { cursor, objects } = context;
  const header = readUint29(cursor);
  if ((header & 1) === 0) return cursor.dereference(objects, header >>> 1);
  const traits = readTraits(context, header);
  return cursor.nested<AmfObject>(objects, {}, (object) => {
    for (const name of traits.names) setMember(object, name, readValue(context));
    if (!traits.dynamic) return;
    for (let name = readString(context); name !== ''; name = readString(context)) {
      setMember(object, name, readValue(context));
    }
  });
}

/** Header bits: 1 inline object, 2 inline traits, 4 externalizable, 8 dynamic, rest the number of sealed members. */
function readTraits(context: Context, header: number): Traits {
  const { cursor, traits } = context;
  if ((header & 2) === 0) {
    const known = traits[header >>> 2];
    if (known === undefined) throw new ProtocolError('amf', 'bad traits reference', cursor.offset);
    return known;
  }
  if ((header & 4) !== 0) throw new ProtocolError('amf', 'externalizable object', cursor.offset);
  readString(context); // class name
  const names: string[] = [];
  for (let i = 0; i < header >>> 4; i++) {
    cursor.countValues();
    names.push(readString(context));
  }
  const inline: Traits = { dynamic: (header & 8) !== 0, names };
  traits.push(inline);
  return inline;
}
