// H.265 sequence parameter set, ITU-T H.265 §7.3.2.2: the fields needed for the video size and hvcC.
import { BitReader } from './bit-reader.ts';
import { unescapeNalUnit } from './nal-units.ts';

export interface H265Sps {
  readonly id: number;
  /** The 12 bytes from general_profile_space to general_level_idc, which hvcC contains, too. */
  readonly profileTierLevel: Buffer;
  readonly subLayers: number;
  readonly temporalIdNested: boolean;
  readonly chromaFormat: number;
  readonly bitDepthLuma: number;
  readonly bitDepthChroma: number;
  /** Pixels after the conformance window. */
  readonly width: number;
  readonly height: number;
  /** Maximum number of frames that are decoded before a frame, but displayed after this frame; 0 if missing. */
  readonly reorderDepth: number;
}

/** Largest width or height, pixels: the limit of level 6.2. A corrupt SPS may contain larger values. */
const maxImageSide = 16_888;
/** Maximum size of the DPB (H.264 and H.265), frames (§A.4.2). */
const maxReorderDepth = 16;
const generalProfileTierLevelBits = 96;

/** Parses an SPS NAL unit with its 2-byte header. Undefined for a truncated or invalid unit. */
export function parseH265Sps(unit: Buffer): H265Sps | undefined {
  const plain = unescapeNalUnit(unit);
  const reader = new BitReader(plain);
  reader.skip(16 + 4);
  const subLayers = reader.readBits(3) + 1;
  const temporalIdNested = reader.readFlag();
  reader.skip(generalProfileTierLevelBits);
  skipSubLayers(reader, subLayers - 1);
  const id = reader.readUe();
  const chromaFormat = reader.readUe();
  if (chromaFormat === 3) reader.skip(1);
  const { width, height } = readPictureSize(reader, chromaFormat);
  const bitDepthLuma = reader.readUe() + 8;
  const bitDepthChroma = reader.readUe() + 8;
  const sizeValid = width > 0 && height > 0 && width <= maxImageSide && height <= maxImageSide;
  if (reader.overrun || !sizeValid || chromaFormat > 3 || bitDepthLuma > 16 || bitDepthChroma > 16) return undefined;
  const reorderDepth = readReorderDepth(reader, subLayers);
  const profileTierLevel = plain.subarray(3, 15);
  const format = { chromaFormat, bitDepthLuma, bitDepthChroma };
  return { id, profileTierLevel, subLayers, temporalIdNested, ...format, width, height, reorderDepth };
}

/** Returns the value of the highest sub-layer. The SPS may contain values for all sub-layers. */
function readReorderDepth(reader: BitReader, subLayers: number): number {
  reader.readUe();
  const count = reader.readFlag() ? subLayers : 1;
  let depth = 0;
  for (let layer = 0; layer < count; layer++) {
    reader.readUe();
    depth = reader.readUe();
    reader.readUe();
  }
  return reader.overrun ? 0 : Math.min(depth, maxReorderDepth);
}

function skipSubLayers(reader: BitReader, count: number): void {
  if (count === 0) return;
  const present: { profile: boolean; level: boolean }[] = [];
  for (let layer = 0; layer < count; layer++) present.push({ profile: reader.readFlag(), level: reader.readFlag() });
  reader.skip((8 - count) * 2);
  for (const { profile, level } of present) reader.skip((profile ? 88 : 0) + (level ? 8 : 0));
}

function readPictureSize(reader: BitReader, chromaFormat: number): { width: number; height: number } {
  const width = reader.readUe();
  const height = reader.readUe();
  if (!reader.readFlag()) return { width, height };
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
  const unitY = chromaFormat === 1 ? 2 : 1;
  const horizontal = reader.readUe() + reader.readUe();
  const vertical = reader.readUe() + reader.readUe();
  return { width: width - horizontal * unitX, height: height - vertical * unitY };
}
