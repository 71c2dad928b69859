// VP9 codec configuration record (vpcC, "VP Codec ISO Media File Format Binding"). The record does not contain the video size.

export interface Vp9Config {
  readonly profile: number;
  /** Ten times the level: 31 is level 3.1. 0 for an unknown level. */
  readonly level: number;
  readonly bitDepth: number;
}

/** Accepts the record with or without the 4-byte version and flags of the MP4 box. Undefined for a truncated or invalid record. */
export function parseVp9Config(record: Buffer): Vp9Config | undefined {
  const isBoxed = record.length >= 8 && record[0] === 1 && record.readUIntBE(1, 3) === 0;
  const fields = isBoxed ? record.subarray(4) : record;
  if (fields.length < 4 || fields[0]! > 3) return undefined;
  return { profile: fields[0]!, level: fields[1]!, bitDepth: fields[2]! >> 4 };
}
