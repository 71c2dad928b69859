// Converts onMetaData to StreamMetadata and back (FLV annex E.4.4, E.5).

import { type AmfObject, type AmfValue, EcmaArray, parseAmf0, writeAmf0 } from '../../protocols/rtmp/amf0.ts';
import type { MetadataValue, StreamMetadata } from '../../stream-metadata.ts';

/**
 * Parses the metadata of a live stream, without fields that describe a file. Returns undefined for text data and cue points. Throws
 * `ProtocolError` on malformed AMF.
 */
export function parseMetadata(body: Buffer): StreamMetadata | undefined {
  const values = parseAmf0(body);
  const first = values[0] === '@setDataFrame' ? 1 : 0;
  const members = values[first + 1];
  if (values[first] !== 'onMetaData' || !isObject(members)) return undefined;
  const metadata = toMetadata(members);
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !ofFiles.has(name)));
}

/** Body of a script tag or RTMP data message: `onMetaData` and an ECMA array. */
export function writeMetadata(metadata: StreamMetadata): Buffer {
  return writeAmf0('onMetaData', new EcmaArray(metadata as AmfObject));
}

/** Writes the `@setDataFrame` message, with which a publisher sets the metadata of a stream. */
export function writeSetDataFrame(metadata: StreamMetadata): Buffer {
  return writeAmf0('@setDataFrame', 'onMetaData', new EcmaArray(metadata as AmfObject));
}

/** Fields that describe a file. Live encoders send 0 or the size of their input, and players would use these values. */
const ofFiles = new Set(['duration', 'filesize']);

function isObject(value: AmfValue): value is AmfObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function toMetadata(object: AmfObject): Record<string, MetadataValue> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, toMetadataValue(value)]));
}

function toMetadataValue(value: AmfValue): MetadataValue {
  if (value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(toMetadataValue);
  return typeof value === 'object' && value !== null ? toMetadata(value) : value;
}
