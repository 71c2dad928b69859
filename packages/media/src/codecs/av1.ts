// AV1: OBUs (AV1 bitstream §5.3), the sequence header (§5.5), and the configuration record (av1C, AV1-ISOBMFF §2.3).
import { BitReader } from './bit-reader.ts';

export interface Av1Config {
  readonly profile: number;
  readonly levelIndex: number;
  /** Pixels; 0 for a record without a sequence header. */
  readonly width: number;
  readonly height: number;
}

/** obu_type, AV1 bitstream §6.2.2. */
export const obuType = {
  sequenceHeader: 1,
  temporalDelimiter: 2,
  frameHeader: 3,
  frame: 6,
  tileList: 8,
  padding: 15,
} as const;
/** leb128() has at most 8 bytes (AV1 bitstream §4.10.5). */
const maxLeb128Bytes = 8;
/** Maximum number of OBUs of a temporal unit. A frame has at most 4,096 tiles, usually all in one OBU. */
export const maxObus = 4_096;
const profileNames = ['Main', 'High', 'Professional'];
const bt709 = 1;
const srgb = 13;
const identity = 0;

interface SequenceHeader {
  readonly profile: number;
  readonly levelIndex: number;
  readonly tier: number;
  readonly width: number;
  readonly height: number;
  /** Bits after the tier in the third byte of the record: bit depth, monochrome, subsampling, sample position. */
  readonly format: number;
}

/** Undefined for a record that is truncated or of another version. */
export function parseAv1Config(record: Buffer): Av1Config | undefined {
  if (record.length < 4 || record[0] !== 0x81) return undefined;
  const header = splitObus(record.subarray(4)).find((obu) => obuTypeOf(obu) === obuType.sequenceHeader);
  const size = header && parseSequenceHeader(header);
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

/** seq_level_idx 8 is `4.0` (AV1 bitstream §A.3). Values from 24 are reserved or mean no level (31), and give ''. */
export function av1LevelName(levelIndex: number): string {
  return levelIndex >= 24 ? '' : `${2 + (levelIndex >> 2)}.${levelIndex & 3}`;
}

/** Creates the configuration record from a sequence header OBU without size field. Undefined for a truncated OBU. */
export function writeAv1Config(obu: Buffer): Buffer | undefined {
  const header = parseSequenceHeader(obu);
  if (!header) return undefined;
  const { profile, levelIndex, tier, format } = header;
  return Buffer.concat([
    Buffer.from([0x81, (profile << 5) | levelIndex, (tier << 7) | format, 0]),
    ...withSizes([obu]),
  ]);
}

export function obuTypeOf(obu: Buffer): number {
  return (obu[0]! >> 3) & 15;
}

/** True for an OBU that starts a key frame, false for another frame (AV1 bitstream §5.9.2). Undefined for an OBU without a frame header. */
function isKeyFrameObu(obu: Buffer): boolean | undefined {
  const type = obuTypeOf(obu);
  const first = obu[headerBytesOf(obu)];
  if ((type !== obuType.frame && type !== obuType.frameHeader) || first === undefined) return undefined;
  return first >> 5 === 0;
}

/** Whether a decoder can start with the temporal unit, which requires a key frame and a sequence header. */
export function isKeyUnit(obus: readonly Buffer[]): boolean {
  const frame = obus.map(isKeyFrameObu).find((isKey) => isKey !== undefined);
  return frame === true && obus.some((obu) => obuTypeOf(obu) === obuType.sequenceHeader);
}

/** OBUs of a temporal unit, without their size fields. Stops at an OBU with an invalid size, and after {@link maxObus}. */
export function splitObus(bytes: Buffer): Buffer[] {
  const obus: Buffer[] = [];
  let offset = 0;
  while (offset < bytes.length && obus.length < maxObus) {
    const start = offset + headerBytesOf(bytes.subarray(offset));
    const hasSize = (bytes[offset]! & 2) !== 0;
    const size = hasSize ? readLeb128(bytes, start) : { value: bytes.length - start, end: start };
    if (size === undefined || size.end + size.value > bytes.length) break;
    const end = size.end + size.value;
    obus.push(
      hasSize ? withoutSize(bytes.subarray(offset, start), bytes.subarray(size.end, end)) : bytes.subarray(offset, end),
    );
    offset = end;
  }
  return obus;
}

/** Adds a size field to each OBU. Returns the pieces of the temporal unit, which the caller must concatenate. */
export function withSizes(obus: readonly Buffer[]): Buffer[] {
  return obus.flatMap((obu) => {
    const head = Buffer.from(obu.subarray(0, headerBytesOf(obu)));
    head[0]! |= 2;
    return [head, writeLeb128(obu.length - head.length), obu.subarray(head.length)];
  });
}

export function writeLeb128(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Buffer.from(bytes);
}

function withoutSize(head: Buffer, body: Buffer): Buffer {
  const obu = Buffer.concat([head, body]);
  obu[0]! &= ~2;
  return obu;
}

function headerBytesOf(obu: Buffer): number {
  return (obu[0]! & 4) !== 0 ? 2 : 1;
}

export function readLeb128(bytes: Buffer, offset: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < maxLeb128Bytes; index++) {
    const byte = bytes[offset + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (index * 7);
    if (byte < 0x80) return { value, end: offset + index + 1 };
  }
  return undefined;
}

/** Parses sequence_header_obu() (§5.5.1). `obu` has no size field. */
function parseSequenceHeader(obu: Buffer): SequenceHeader | undefined {
  const reader = new BitReader(obu.subarray(headerBytesOf(obu)));
  const profile = reader.readBits(3);
  reader.skip(1);
  const isReduced = reader.readFlag();
  const point = isReduced ? { levelIndex: reader.readBits(5), tier: 0 } : readOperatingPoints(reader);
  const [widthBits, heightBits] = [reader.readBits(4) + 1, reader.readBits(4) + 1];
  const [width, height] = [reader.readBits(widthBits) + 1, reader.readBits(heightBits) + 1];
  skipTools(reader, isReduced);
  const format = readFormat(reader, profile);
  return reader.overrun ? undefined : { profile, ...point, width, height, format };
}

/** Level and tier of the first operating point, which covers the whole stream. */
function readOperatingPoints(reader: BitReader): { levelIndex: number; tier: number } {
  const delayBits = reader.readFlag() ? readTimingInfo(reader) : 0;
  const hasDisplayDelay = reader.readFlag();
  const count = reader.readBits(5) + 1;
  let first: { levelIndex: number; tier: number } | undefined;
  for (let index = 0; index < count; index++) {
    reader.skip(12);
    const levelIndex = reader.readBits(5);
    const tier = levelIndex > 7 ? reader.readBits(1) : 0;
    first ??= { levelIndex, tier };
    if (delayBits > 0 && reader.readFlag()) reader.skip(delayBits * 2 + 1);
    if (hasDisplayDelay && reader.readFlag()) reader.skip(4);
  }
  return first!;
}

/** Skips the fields from the frame ids up to color_config(), which it does not skip. */
function skipTools(reader: BitReader, isReduced: boolean): void {
  if (!isReduced && reader.readFlag()) reader.skip(7);
  reader.skip(3);
  if (!isReduced) {
    reader.skip(4);
    const hasOrderHint = reader.readFlag();
    if (hasOrderHint) reader.skip(2);
    const mayHaveScreenContent = reader.readFlag() || reader.readFlag();
    if (mayHaveScreenContent && !reader.readFlag()) reader.skip(1);
    if (hasOrderHint) reader.skip(3);
  }
  reader.skip(3);
}

/** Reads color_config() (§5.5.2). Returns the bits for the record. */
function readFormat(reader: BitReader, profile: number): number {
  const isHigh = reader.readFlag();
  const isTwelve = profile === 2 && isHigh && reader.readFlag();
  const isMono = profile !== 1 && reader.readFlag();
  const [primaries, transfer, matrix] = reader.readFlag()
    ? [reader.readBits(8), reader.readBits(8), reader.readBits(8)]
    : [2, 2, 2];
  const depth = (Number(isHigh) << 6) | (Number(isTwelve) << 5) | (Number(isMono) << 4);
  if (!isMono && primaries === bt709 && transfer === srgb && matrix === identity) return depth;
  reader.skip(1);
  if (isMono) return depth | 0b1100;
  const [x, y] = readSubsampling(reader, profile, isTwelve);
  return depth | (Number(x) << 3) | (Number(y) << 2) | (x && y ? reader.readBits(2) : 0);
}

function readSubsampling(reader: BitReader, profile: number, isTwelve: boolean): [boolean, boolean] {
  if (profile === 0) return [true, true];
  if (profile === 1) return [false, false];
  if (!isTwelve) return [true, false];
  const x = reader.readFlag();
  return [x, x && reader.readFlag()];
}

/** Returns the number of bits of a decoder buffer delay; 0 without a decoder model. */
function readTimingInfo(reader: BitReader): number {
  reader.skip(64);
  if (reader.readFlag()) reader.readUe();
  if (!reader.readFlag()) return 0;
  const delayBits = reader.readBits(5) + 1;
  reader.skip(32 + 5 + 5);
  return delayBits;
}
