// Header of a frame of AC-3 or E-AC-3 (ETSI TS 102 366 §4.3, §4.4 and Annex E.1.2).
import { BitReader } from './bit-reader.ts';

export interface Ac3Header {
  readonly codec: 'ac3' | 'eac3';
  readonly sampleRate: number;
  readonly channels: number;
  /** Size of the whole frame with its header, bytes. */
  readonly frameSize: number;
  /** Samples per channel; 0 for a frame that only adds channels to the previous frame. */
  readonly frameSamples: number;
}

/** Size of a header, bytes. */
export const ac3HeaderSize = 8;

const syncWord = 0x0b77;
const sampleRates = [48_000, 44_100, 32_000];
/** kbit/s by the upper five bits of frmsizecod. */
const bitrates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
/** Number of channels by acmod, without the low-frequency channel. */
const channelCounts = [2, 1, 2, 3, 3, 4, 4, 5];
const blockSamples = 256;
const blocksByCode = [1, 2, 3, 6];
const samplesOfAc3 = 6 * blockSamples;
/** Highest bsid of AC-3 and of E-AC-3. */
const lastAc3 = 10;
const lastEac3 = 16;

/** Undefined when there is no header at `offset`. */
export function parseAc3Header(bytes: Buffer, offset = 0): Ac3Header | undefined {
  if (offset + ac3HeaderSize > bytes.length || bytes.readUInt16BE(offset) !== syncWord) return undefined;
  const bits = new BitReader(bytes.subarray(offset + 2, offset + ac3HeaderSize));
  const version = bytes[offset + 5]! >> 3;
  if (version <= lastAc3) return readAc3(bits);
  return version <= lastEac3 ? readEac3(bits) : undefined;
}

function readAc3(bits: BitReader): Ac3Header | undefined {
  bits.skip(16);
  const rateCode = bits.readBits(2);
  const sizeCode = bits.readBits(6);
  const sampleRate = sampleRates[rateCode];
  const kbps = bitrates[sizeCode >> 1];
  if (sampleRate === undefined || kbps === undefined) return undefined;
  bits.skip(5 + 3);
  const mode = bits.readBits(3);
  if (mode === 2 || ((mode & 1) !== 0 && mode !== 1)) bits.skip(2);
  if ((mode & 4) !== 0) bits.skip(2);
  const words = Math.floor((kbps * 96_000) / sampleRate) + (sampleRate === 44_100 ? sizeCode & 1 : 0);
  const channels = channelCounts[mode]! + bits.readBits(1);
  return { codec: 'ac3', sampleRate, channels, frameSize: 2 * words, frameSamples: samplesOfAc3 };
}

function readEac3(bits: BitReader): Ac3Header | undefined {
  const isDependent = bits.readBits(2) === 1;
  bits.skip(3);
  const frameSize = 2 * (bits.readBits(11) + 1);
  const rateCode = bits.readBits(2);
  const code = bits.readBits(2);
  const rate = rateCode < 3 ? sampleRates[rateCode] : sampleRates[code];
  if (rate === undefined || frameSize < ac3HeaderSize) return undefined;
  const channels = channelCounts[bits.readBits(3)]! + bits.readBits(1);
  const frameSamples = isDependent ? 0 : (rateCode < 3 ? blocksByCode[code]! : 6) * blockSamples;
  return { codec: 'eac3', sampleRate: rateCode < 3 ? rate : rate / 2, channels, frameSize, frameSamples };
}
