// AVCDecoderConfigurationRecord (avcC), ISO/IEC 14496-15 §5.3.3.1.
//
//   1 version=1 | 1 profile | 1 compatibility | 1 level | 6 bits reserved, 2 bits lengthSize-1
//   3 bits reserved, 5 bits SPS count { 2 size, SPS } | 1 PPS count { 2 size, PPS } | high profiles: chroma, depths

export interface H264Config {
  readonly profileIdc: number;
  readonly levelIdc: number;
  /** Size of a length prefix, bytes: 1, 2 or 4 in a valid record. */
  readonly lengthSize: number;
  readonly sps: readonly Buffer[];
  readonly pps: readonly Buffer[];
}

/** Undefined for a record that is truncated or of another version. Parameter sets are views. */
export function parseH264Config(record: Buffer): H264Config | undefined {
  if (record.length < 7 || record[0] !== 1) return undefined;
  const sps = readParameterSets(record, 6, record[5]! & 0x1f);
  if (sps === undefined || sps.end >= record.length) return undefined;
  const pps = readParameterSets(record, sps.end + 1, record[sps.end]!);
  if (pps === undefined) return undefined;
  return {
    profileIdc: record[1]!,
    levelIdc: record[3]!,
    lengthSize: (record[4]! & 3) + 1,
    sps: sps.units,
    pps: pps.units,
  };
}

function readParameterSets(record: Buffer, start: number, count: number): { units: Buffer[]; end: number } | undefined {
  const units: Buffer[] = [];
  let offset = start;
  for (let index = 0; index < count; index++) {
    if (offset + 2 > record.length) return undefined;
    const end = offset + 2 + record.readUInt16BE(offset);
    if (end > record.length) return undefined;
    if (end > offset + 2) units.push(record.subarray(offset + 2, end));
    offset = end;
  }
  return { units, end: offset };
}

/** Creates a record with 4-byte length prefixes. The first unit of `sps` must have 4 bytes or more. */
export function writeH264Config(sps: readonly Buffer[], pps: readonly Buffer[]): Buffer {
  const first = sps[0]!;
  const parts: Buffer[] = [Buffer.from([1, first[1]!, first[2]!, first[3]!, 0xff, 0xe0 | sps.length])];
  for (const unit of sps) parts.push(sizePrefix(unit), unit);
  parts.push(Buffer.from([pps.length]));
  for (const unit of pps) parts.push(sizePrefix(unit), unit);
  return Buffer.concat(parts);
}

function sizePrefix(unit: Buffer): Buffer {
  return Buffer.from([unit.length >> 8, unit.length & 0xff]);
}
