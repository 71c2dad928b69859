// MPEG audio frame header (ISO/IEC 11172-3 §2.4.1.3 and 13818-3): layers I to III, versions 1, 2 and 2.5.

export interface Mp3Header {
  readonly layer: 1 | 2 | 3;
  readonly sampleRate: number;
  readonly channels: number;
  /** Size of the whole frame with its header, bytes. */
  readonly frameSize: number;
  readonly frameSamples: number;
}

/** Size of a header, bytes. */
const mp3HeaderSize = 4;

const sampleRates = [44_100, 48_000, 32_000];
/** kbit/s by index 1 to 14 (`v1l1`: version 1, layer I). */
const bitrates = {
  v1l1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  v1l2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  v1l3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2l1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  v2l23: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** Undefined when there is no header at `offset`, and for a header with free format or reserved values. */
export function parseMp3Header(bytes: Buffer, offset = 0): Mp3Header | undefined {
  if (offset + mp3HeaderSize > bytes.length) return undefined;
  if (bytes[offset] !== 0xff || (bytes[offset + 1]! & 0xe0) !== 0xe0) return undefined;
  const version = (bytes[offset + 1]! >> 3) & 3;
  const layer = 4 - ((bytes[offset + 1]! >> 1) & 3);
  const rate = sampleRates[(bytes[offset + 2]! >> 2) & 3];
  const kbps = bitrateTable(version, layer)?.[(bytes[offset + 2]! >> 4) - 1];
  if (version === 1 || rate === undefined || kbps === undefined) return undefined;
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const frameSamples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152;
  const padding = (bytes[offset + 2]! >> 1) & 1;
  const slotSize = layer === 1 ? 4 : 1;
  const slots = Math.floor((frameSamples / 8 / slotSize) * ((kbps * 1000) / sampleRate)) + padding;
  const channels = bytes[offset + 3]! >> 6 === 3 ? 1 : 2;
  return { layer: layer as 1 | 2 | 3, sampleRate, channels, frameSize: slots * slotSize, frameSamples };
}

function bitrateTable(version: number, layer: number): readonly number[] | undefined {
  if (layer === 4) return undefined;
  if (version === 3) return [bitrates.v1l1, bitrates.v1l2, bitrates.v1l3][layer - 1];
  return layer === 1 ? bitrates.v2l1 : bitrates.v2l23;
}
