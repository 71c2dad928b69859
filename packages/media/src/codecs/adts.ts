// ADTS framing of AAC, ISO/IEC 14496-3 §1.A.2: 7 header bytes (9 with CRC) before each access unit.
//
//   12 sync=FFF | 1 id | 2 layer=0 | 1 no CRC | 2 objectType-1 | 4 rate index | 1 | 3 channels | 4
//   13 frame length | 11 buffer fullness | 2 raw blocks-1

import { type AacConfig, aacSampleRates, writeAacConfig } from './aac.ts';
import { copyProgramConfig, readProgramConfig } from './aac-program-config.ts';
import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';

const adtsHeaderSize = 7;
/** Largest frame, bytes: the field frame_length has 13 bits. */
const maxAdtsFrameSize = 0x1fff;
const programConfigElementId = 5;
/** Largest object type that the 2-bit profile field can contain: AAC Main, LC, SSR or LTP. */
const maxAdtsObjectType = 4;

export interface AdtsFrame {
  readonly headerSize: number;
  /** Size of header and access unit, bytes. */
  readonly frameSize: number;
  readonly objectType: number;
  readonly rateIndex: number;
  readonly sampleRate: number;
  readonly channelConfiguration: number;
}

/** Header at `offset`. Undefined for a missing, incomplete or invalid header. */
export function parseAdtsHeader(bytes: Buffer, offset = 0): AdtsFrame | undefined {
  if (offset + adtsHeaderSize > bytes.length) return undefined;
  if (bytes[offset] !== 0xff || (bytes[offset + 1]! & 0xf6) !== 0xf0) return undefined;
  const headerSize = (bytes[offset + 1]! & 1) === 1 ? adtsHeaderSize : adtsHeaderSize + 2;
  const fields = bytes.readUInt32BE(offset + 2);
  const rateIndex = (fields >>> 26) & 15;
  const sampleRate = aacSampleRates[rateIndex];
  const frameSize = (fields >>> 5) & maxAdtsFrameSize;
  if (sampleRate === undefined || frameSize <= headerSize) return undefined;
  return {
    headerSize,
    frameSize,
    objectType: (fields >>> 30) + 1,
    rateIndex,
    sampleRate,
    channelConfiguration: (fields >>> 22) & 7,
  };
}

/** AudioSpecificConfig of the frame's stream. `accessUnit` provides the channel layout when the header does not. */
export function aacConfigFromAdts(frame: AdtsFrame, accessUnit: Buffer): Buffer {
  if (frame.channelConfiguration !== 0) return writeAacConfig(frame);
  const reader = new BitReader(accessUnit);
  if (reader.readBits(3) !== programConfigElementId) return writeAacConfig(frame);
  const programConfig = readProgramConfig(reader);
  return writeAacConfig(reader.overrun ? frame : { ...frame, programConfig });
}

/**
 * Prefix of every access unit of a stream: the header and, for channel layouts that the header cannot describe, the program config element.
 */
export interface AdtsTemplate {
  readonly bytes: Buffer;
  /** Writes the prefix for an access unit of `size` bytes at `offset` of `target`. Returns the offset after the prefix. */
  writeTo(target: Buffer, offset: number, size: number): number;
  /** Largest access unit that the 13-bit frame length allows. */
  readonly maxAccessUnitSize: number;
}

/** Undefined when ADTS cannot carry the configuration (unlisted rate, object type above LTP, or channel configuration above 7). */
export function createAdtsTemplate(config: AacConfig): AdtsTemplate | undefined {
  if (config.rateIndex >= aacSampleRates.length || config.objectType > maxAdtsObjectType) return undefined;
  if (config.channelConfiguration > 7) return undefined;
  const bytes = Buffer.concat([writeHeader(config), writeProgramConfigElement(config)]);
  return {
    bytes,
    maxAccessUnitSize: maxAdtsFrameSize - bytes.length,
    writeTo(target, offset, size) {
      bytes.copy(target, offset);
      const frameSize = bytes.length + size;
      target[offset + 3] = bytes[3]! | (frameSize >> 11);
      target[offset + 4] = (frameSize >> 3) & 0xff;
      target[offset + 5] = ((frameSize & 7) << 5) | bytes[5]!;
      return offset + bytes.length;
    },
  };
}

/** The length fields stay zero. Buffer fullness 0x7ff means a variable rate. */
function writeHeader({ objectType, rateIndex, channelConfiguration }: AacConfig): Buffer {
  const byte2 = ((objectType - 1) << 6) | (rateIndex << 2) | (channelConfiguration >> 2);
  return Buffer.from([0xff, 0xf1, byte2, (channelConfiguration & 3) << 6, 0, 0x1f, 0xfc]);
}

function writeProgramConfigElement({ programConfig }: AacConfig): Buffer {
  const writer = new BitWriter();
  if (programConfig === undefined) return writer.toBuffer();
  writer.writeBits(programConfigElementId, 3);
  copyProgramConfig(programConfig, writer);
  return writer.toBuffer();
}
