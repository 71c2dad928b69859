// H.264 sequence parameter set (ITU-T H.264 §7.3.2.1.1), only the fields up to the video size.
import { BitReader } from './bit-reader.ts';
import { unescapeNalUnit } from './nal-units.ts';

export interface H264Sps {
  readonly profileIdc: number;
  readonly levelIdc: number;
  /** Pixels after cropping. */
  readonly width: number;
  readonly height: number;
}

/** Profiles whose SPS contains chroma format, bit depth and scaling lists. */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
/** Maximum number of entries of offset_for_ref_frame: num_ref_frames_in_pic_order_cnt_cycle is at most 255. */
const maxRefFramesInCycle = 255;
const macroblockSize = 16;
/** Largest width or height, pixels: the limit of level 6.2. A corrupt SPS may contain larger values. */
const maxImageSide = 16_880;

/** Parses an SPS NAL unit with its header byte. Undefined for a truncated or invalid unit. */
export function parseH264Sps(unit: Buffer): H264Sps | undefined {
  const reader = new BitReader(unescapeNalUnit(unit));
  reader.skip(8);
  const profileIdc = reader.readBits(8);
  reader.skip(8);
  const levelIdc = reader.readBits(8);
  reader.readUe();
  const chromaFormat = highProfiles.has(profileIdc) ? readHighProfileFields(reader) : 1;
  reader.readUe();
  skipPictureOrderCount(reader);
  reader.readUe();
  reader.skip(1);
  const { width, height } = readPictureSize(reader, chromaFormat);
  const valid = !reader.overrun && width > 0 && height > 0 && width <= maxImageSide && height <= maxImageSide;
  return valid ? { profileIdc, levelIdc, width, height } : undefined;
}

/** Moves the reader from the start of an unescaped SPS to vui_parameters_present_flag. */
export function skipToH264Vui(reader: BitReader): void {
  reader.skip(8);
  const profileIdc = reader.readBits(8);
  reader.skip(16);
  reader.readUe();
  const chromaFormat = highProfiles.has(profileIdc) ? readHighProfileFields(reader) : 1;
  reader.readUe();
  skipPictureOrderCount(reader);
  reader.readUe();
  reader.skip(1);
  readPictureSize(reader, chromaFormat);
}

/** Returns ChromaArrayType. */
function readHighProfileFields(reader: BitReader): number {
  const chromaFormat = reader.readUe();
  const separatePlanes = chromaFormat === 3 && reader.readFlag();
  reader.readUe();
  reader.readUe();
  reader.skip(1);
  if (reader.readFlag()) skipScalingLists(reader, chromaFormat === 3 ? 12 : 8);
  return separatePlanes ? 0 : chromaFormat;
}

function skipScalingLists(reader: BitReader, count: number): void {
  for (let list = 0; list < count; list++) {
    if (reader.readFlag()) skipScalingList(reader, list < 6 ? 16 : 64);
  }
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  let next = 8;
  for (let index = 0; index < size; index++) {
    if (next !== 0) next = (last + reader.readSe() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

function skipPictureOrderCount(reader: BitReader): void {
  const type = reader.readUe();
  if (type === 0) reader.readUe();
  if (type !== 1) return;
  reader.skip(1);
  reader.readSe();
  reader.readSe();
  const frames = Math.min(reader.readUe(), maxRefFramesInCycle);
  for (let frame = 0; frame < frames; frame++) reader.readSe();
}

function readPictureSize(reader: BitReader, chromaFormat: number): { width: number; height: number } {
  const widthInMacroblocks = reader.readUe() + 1;
  const heightInMapUnits = reader.readUe() + 1;
  const frameMbsOnly = reader.readFlag();
  if (!frameMbsOnly) reader.skip(1);
  reader.skip(1);
  const fieldFactor = frameMbsOnly ? 1 : 2;
  const cropX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
  const cropY = (chromaFormat === 1 ? 2 : 1) * fieldFactor;
  const crop = reader.readFlag() ? [reader.readUe(), reader.readUe(), reader.readUe(), reader.readUe()] : [0, 0, 0, 0];
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  return {
    width: widthInMacroblocks * macroblockSize - (left + right) * cropX,
    height: heightInMapUnits * macroblockSize * fieldFactor - (top + bottom) * cropY,
  };
}
