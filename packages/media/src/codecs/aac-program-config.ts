// AAC program_config_element (ISO/IEC 14496-3 §4.4.1.1): the channel layout of streams with channel configuration 0.
import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';

export interface ProgramConfig {
  readonly channels: number;
  /** Values and sizes of the fields before the byte alignment, to write the element at another bit offset. */
  readonly fields: readonly { readonly value: number; readonly bits: number }[];
  readonly comment: Buffer;
}

/** Reads past the end of truncated data. The caller must check `reader.overrun`. */
export function readProgramConfig(reader: BitReader): ProgramConfig {
  const fields: { value: number; bits: number }[] = [];
  const read = (bits: number): number => {
    const value = reader.readBits(bits);
    fields.push({ value, bits });
    return value;
  };
  for (const bits of [4, 2, 4]) read(bits);
  const front = read(4);
  const side = read(4);
  const back = read(4);
  const lowFrequency = read(2);
  const associatedData = read(3);
  const coupling = read(4);
  for (const mixdownBits of [4, 4, 3]) if (read(1) === 1) read(mixdownBits);
  let channels = lowFrequency;
  for (let element = 0; element < front + side + back; element++) {
    channels += 1 + read(1);
    read(4);
  }
  for (let element = 0; element < lowFrequency + associatedData; element++) read(4);
  for (let element = 0; element < coupling; element++) read(5);
  reader.alignToByte();
  const comment = Buffer.alloc(reader.readBits(8));
  for (let index = 0; index < comment.length; index++) comment[index] = reader.readBits(8);
  return { channels, fields, comment };
}

export function copyProgramConfig(config: ProgramConfig, writer: BitWriter): void {
  for (const { value, bits } of config.fields) writer.writeBits(value, bits);
  writer.alignToByte();
  writer.writeBits(config.comment.length, 8);
  for (const byte of config.comment) writer.writeBits(byte, 8);
}
