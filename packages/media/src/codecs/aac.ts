// AAC configuration (AudioSpecificConfig, ISO/IEC 14496-3 §1.6.2.1), and the profile names that SRS uses.

import { copyProgramConfig, type ProgramConfig, readProgramConfig } from './aac-program-config.ts';
import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';

export const aacSampleRates = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
] as const;
/** Channels by channelConfiguration, ISO/IEC 14496-3 Table 1.19. 0: see the program config element (configuration 0), or reserved. */
const channelsByConfiguration = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8];
const escapeRateIndex = 15;
const objectTypeSbr = 5;
const objectTypePs = 29;
/** Object types followed by a GASpecificConfig. */
const generalAudioTypes = new Set([1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23]);

export interface AacConfig {
  /** Object type of the core coder: 1 Main, 2 LC, 3 SSR, 4 LTP. */
  readonly objectType: number;
  /** Index of the core sample rate; 15 for an explicit rate. */
  readonly rateIndex: number;
  /** Sample rate of the core coder, Hz. With SBR, usually half the output rate. */
  readonly coreSampleRate: number;
  readonly sampleRate: number;
  readonly channelConfiguration: number;
  /** Output channels (2 with parametric stereo); 0 for an unknown number. */
  readonly channels: number;
  readonly sbr: boolean;
  readonly ps: boolean;
  /** Samples per frame at the core rate: 1024 or 960. */
  readonly frameSamples: number;
  readonly programConfig: ProgramConfig | undefined;
}

/** Undefined when the bytes are truncated or contain no valid object type or rate. */
export function parseAacConfig(bytes: Buffer): AacConfig | undefined {
  const reader = new BitReader(bytes);
  let objectType = readObjectType(reader);
  const rateIndex = reader.readBits(4);
  const coreSampleRate = readRate(reader, rateIndex);
  const channelConfiguration = reader.readBits(4);
  const ps = objectType === objectTypePs;
  const sbr = ps || objectType === objectTypeSbr;
  let sampleRate = coreSampleRate;
  if (sbr) {
    sampleRate = readRate(reader, reader.readBits(4));
    objectType = readObjectType(reader);
  }
  const isGeneralAudio = generalAudioTypes.has(objectType);
  const frameSamples = isGeneralAudio && readGeneralAudioHead(reader) ? 960 : 1024;
  const programConfig = isGeneralAudio && channelConfiguration === 0 ? readProgramConfig(reader) : undefined;
  if (reader.overrun || objectType === 0 || coreSampleRate === 0) return undefined;
  const extension = sbr ? { sbr, ps, sampleRate } : readSyncExtension(reader, coreSampleRate);
  const coreChannels = programConfig?.channels ?? channelsByConfiguration[channelConfiguration] ?? 0;
  return {
    objectType,
    rateIndex,
    coreSampleRate,
    channelConfiguration,
    channels: extension.ps && coreChannels === 1 ? 2 : coreChannels,
    frameSamples,
    programConfig,
    ...extension,
  };
}

function readObjectType(reader: BitReader): number {
  const type = reader.readBits(5);
  return type === 31 ? 32 + reader.readBits(6) : type;
}

function readRate(reader: BitReader, index: number): number {
  return index === escapeRateIndex ? reader.readBits(24) : (aacSampleRates[index] ?? 0);
}

/** Reads the start of GASpecificConfig and returns frameLengthFlag. */
function readGeneralAudioHead(reader: BitReader): boolean {
  const isShort = reader.readFlag();
  if (reader.readFlag()) reader.skip(14);
  reader.skip(1);
  return isShort;
}

/** Reads explicit signalling of SBR and PS after the core configuration (backward compatible). */
function readSyncExtension(
  reader: BitReader,
  coreSampleRate: number,
): { sbr: boolean; ps: boolean; sampleRate: number } {
  const none = { sbr: false, ps: false, sampleRate: coreSampleRate };
  if (reader.bitsLeft < 16 || reader.readBits(11) !== 0x2b7) return none;
  if (readObjectType(reader) !== objectTypeSbr || !reader.readFlag()) return none;
  const sampleRate = readRate(reader, reader.readBits(4));
  const ps = reader.bitsLeft >= 12 && reader.readBits(11) === 0x548 && reader.readFlag();
  return reader.overrun || sampleRate === 0 ? none : { sbr: true, ps, sampleRate };
}

/** AudioSpecificConfig of a plain stream without SBR signalling. `rateIndex` is 0 to 12. */
export function writeAacConfig(config: {
  objectType: number;
  rateIndex: number;
  channelConfiguration: number;
  programConfig?: ProgramConfig | undefined;
}): Buffer {
  const writer = new BitWriter();
  writer.writeBits(config.objectType, 5);
  writer.writeBits(config.rateIndex, 4);
  writer.writeBits(config.channelConfiguration, 4);
  writer.writeBits(0, 3);
  if (config.programConfig !== undefined) copyProgramConfig(config.programConfig, writer);
  return writer.toBuffer();
}

export function aacProfileName(config: AacConfig): string {
  if (config.ps) return 'HEv2';
  if (config.sbr) return 'HE';
  return ['', 'Main', 'LC', 'SSR'][config.objectType] ?? 'Other';
}
