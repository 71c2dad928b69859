// HEVCDecoderConfigurationRecord (hvcC), ISO/IEC 14496-15 §8.3.3.1.
//
//   1 version=1 | 12 profile, tier, level | 2 | 1 | 1 chroma | 1 luma depth | 1 chroma depth | 2 frame rate
//   2 bits constant rate, 3 sub-layers, 1 nested, 2 lengthSize-1 | 1 arrays { 1 type, 2 count { 2 size, unit } }
import { h265NalType, h265TypeOf } from './h265.ts';
import { parseH265Sps } from './h265-sps.ts';

export interface H265Config {
  readonly profileIdc: number;
  readonly levelIdc: number;
  /** Size of a length prefix, bytes: 1, 2 or 4 in a valid record. */
  readonly lengthSize: number;
  /** VPS, SPS and PPS in the order of the record; views. */
  readonly parameterSets: readonly Buffer[];
}

const headerSize = 23;
const parameterSetTypes: readonly number[] = [h265NalType.vps, h265NalType.sps, h265NalType.pps];

/** Undefined for a truncated record, and for a version above 1. Version 0 is accepted, because some encoders do not set the version. */
export function parseH265Config(record: Buffer): H265Config | undefined {
  if (record.length < headerSize || record[0]! > 1) return undefined;
  const parameterSets: Buffer[] = [];
  let offset = headerSize;
  for (let array = 0; array < record[22]!; array++) {
    if (offset + 3 > record.length) return undefined;
    const count = record.readUInt16BE(offset + 1);
    offset += 3;
    for (let index = 0; index < count; index++) {
      if (offset + 2 > record.length) return undefined;
      const end = offset + 2 + record.readUInt16BE(offset);
      if (end > record.length) return undefined;
      const unit = record.subarray(offset + 2, end);
      if (parameterSetTypes.includes(h265TypeOf(unit)) && unit.length > 2) parameterSets.push(unit);
      offset = end;
    }
  }
  return { profileIdc: record[1]! & 0x1f, levelIdc: record[12]!, lengthSize: (record[21]! & 3) + 1, parameterSets };
}

/** Creates a record with 4-byte length prefixes. Undefined when the first SPS cannot be parsed. */
export function writeH265Config(parameterSets: readonly Buffer[]): Buffer | undefined {
  const ofType = (type: number): Buffer[] => parameterSets.filter((unit) => h265TypeOf(unit) === type);
  const firstSps = ofType(h265NalType.sps)[0];
  const sps = firstSps && parseH265Sps(firstSps);
  if (sps === undefined) return undefined;
  const header = Buffer.alloc(headerSize);
  header[0] = 1;
  sps.profileTierLevel.copy(header, 1);
  header.writeUInt16BE(0xf000, 13);
  header[15] = 0xfc;
  header[16] = 0xfc | sps.chromaFormat;
  header[17] = 0xf8 | (sps.bitDepthLuma - 8);
  header[18] = 0xf8 | (sps.bitDepthChroma - 8);
  header[21] = (sps.subLayers << 3) | (sps.temporalIdNested ? 4 : 0) | 3;
  header[22] = parameterSetTypes.length;
  return Buffer.concat([header, ...parameterSetTypes.flatMap((type) => writeArray(type, ofType(type)))]);
}

function writeArray(type: number, units: readonly Buffer[]): Buffer[] {
  const parts: Buffer[] = [Buffer.from([0x80 | type, units.length >> 8, units.length & 0xff])];
  for (const unit of units) parts.push(Buffer.from([unit.length >> 8, unit.length & 0xff]), unit);
  return parts;
}
