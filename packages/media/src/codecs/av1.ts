// AV1: configuration record (av1C, AV1-ISOBMFF §2.3) and the sequence header OBU inside it (AV1 bitstream §5.5).
import { BitReader } from './bit-reader.ts';

export interface Av1Config {
  readonly profile: number;
  readonly levelIndex: number;
  /** Pixels; 0 when the record has no sequence header. */
  readonly width: number;
  readonly height: number;
}

const obuSequenceHeader = 1;
/** leb128() has at most 8 bytes, AV1 bitstream §4.10.5. */
const maxLeb128Bytes = 8;
const profileNames = ['Main', 'High', 'Professional'];

/** Undefined when the record is truncated or of another version. */
export function parseAv1Config(record: Buffer): Av1Config | undefined {
  if (record.length < 4 || record[0] !== 0x81) return undefined;
  const header = findObu(record.subarray(4), obuSequenceHeader);
  const size = header && parseSequenceHeaderSize(header);
  return {
    profile: record[1]! >> 5,
    levelIndex: record[1]! & 0x1f,
    width: size?.width ?? 0,
    height: size?.height ?? 0,
  };
}

export function av1ProfileName(profile: number): string {
  return profileNames[profile] ?? 'Other';
}

/** seq_level_idx 8 is `4.0`, AV1 bitstream §A.3; 31 means no level. */
export function av1LevelName(levelIndex: number): string {
  return levelIndex >= 24 ? '' : `${2 + (levelIndex >> 2)}.${levelIndex & 3}`;
}

/** Payload of the first OBU of that type. */
function findObu(obus: Buffer, wanted: number): Buffer | undefined {
  let offset = 0;
  while (offset < obus.length) {
    const type = (obus[offset]! >> 3) & 15;
    const hasExtension = (obus[offset]! & 4) !== 0;
    const hasSize = (obus[offset]! & 2) !== 0;
    const start = offset + (hasExtension ? 2 : 1);
    const size = hasSize ? readLeb128(obus, start) : { value: obus.length - start, end: start };
    if (size === undefined || size.end + size.value > obus.length) return undefined;
    if (type === wanted) return obus.subarray(size.end, size.end + size.value);
    offset = size.end + size.value;
  }
  return undefined;
}

function readLeb128(bytes: Buffer, offset: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < maxLeb128Bytes; index++) {
    const byte = bytes[offset + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (index * 7);
    if (byte < 0x80) return { value, end: offset + index + 1 };
  }
  return undefined;
}

function parseSequenceHeaderSize(obu: Buffer): { width: number; height: number } | undefined {
  const reader = new BitReader(obu);
  reader.skip(4);
  const isReducedStill = reader.readFlag();
  if (isReducedStill) reader.skip(5);
  else skipOperatingPoints(reader);
  const widthBits = reader.readBits(4) + 1;
  const heightBits = reader.readBits(4) + 1;
  const width = reader.readBits(widthBits) + 1;
  const height = reader.readBits(heightBits) + 1;
  return reader.overrun ? undefined : { width, height };
}

function skipOperatingPoints(reader: BitReader): void {
  const delayBits = reader.readFlag() ? readTimingInfo(reader) : 0;
  const hasDisplayDelay = reader.readFlag();
  const points = reader.readBits(5) + 1;
  for (let point = 0; point < points; point++) {
    reader.skip(12);
    if (reader.readBits(5) > 7) reader.skip(1);
    if (delayBits > 0 && reader.readFlag()) reader.skip(delayBits * 2 + 1);
    if (hasDisplayDelay && reader.readFlag()) reader.skip(4);
  }
}

/** Returns the bits of a decoder buffer delay, 0 without a decoder model. */
function readTimingInfo(reader: BitReader): number {
  reader.skip(64);
  if (reader.readFlag()) reader.readUe();
  if (!reader.readFlag()) return 0;
  const delayBits = reader.readBits(5) + 1;
  reader.skip(32 + 5 + 5);
  return delayBits;
}
