// VP9 codec configuration record (vpcC), "VP Codec ISO Media File Format Binding"; the size is not part of it.

export interface Vp9Config {
  readonly profile: number;
  /** 31 is level 3.1; 0 while unknown. */
  readonly level: number;
  readonly bitDepth: number;
}

/** Accepts the record with or without the 4-byte version and flags of its MP4 box. Undefined when it is truncated. */
export function parseVp9Config(record: Buffer): Vp9Config | undefined {
  const isBoxed = record.length >= 8 && record[0] === 1 && record.readUIntBE(1, 3) === 0;
  const fields = isBoxed ? record.subarray(4) : record;
  if (fields.length < 4 || fields[0]! > 3) return undefined;
  return { profile: fields[0]!, level: fields[1]!, bitDepth: fields[2]! >> 4 };
}
