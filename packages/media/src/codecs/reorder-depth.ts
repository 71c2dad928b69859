// Reorder depth: the maximum number of frames that are decoded before a frame, but displayed after this frame. Used to calculate decode
// times for protocols that send only presentation times. H.264: max_num_reorder_frames (ITU-T H.264 §E.1.1). H.265:
// sps_max_num_reorder_pics (ITU-T H.265 §7.3.2.2).
import { BitReader } from './bit-reader.ts';
import { parseH264Sps, skipToH264Vui } from './h264-sps.ts';
import { unescapeNalUnit } from './nal-units.ts';

/** Maximum size of the DPB (H.264 and H.265), frames (ITU-T H.264 §A.3.1, H.265 §A.4.2). */
export const maxReorderDepth = 16;
const extendedAspectRatio = 255;

/** Undefined when the parameter set is invalid or does not contain the depth. 0 for the Baseline profile, which has no B-frames. */
export function h264ReorderDepth(sps: Buffer): number | undefined {
  const facts = parseH264Sps(sps);
  if (!facts) return undefined;
  if (facts.profileIdc === 66) return 0;
  const reader = new BitReader(unescapeNalUnit(sps));
  skipToH264Vui(reader);
  if (!reader.readFlag()) return undefined;
  if (reader.readFlag() && reader.readBits(8) === extendedAspectRatio) reader.skip(32);
  if (reader.readFlag()) reader.skip(1);
  if (reader.readFlag()) {
    reader.skip(4);
    if (reader.readFlag()) reader.skip(24);
  }
  if (reader.readFlag()) {
    reader.readUe();
    reader.readUe();
  }
  if (reader.readFlag()) reader.skip(65);
  const hasNalHrd = reader.readFlag();
  if (hasNalHrd) skipHrd(reader);
  const hasVclHrd = reader.readFlag();
  if (hasVclHrd) skipHrd(reader);
  if (hasNalHrd || hasVclHrd) reader.skip(1);
  reader.skip(1);
  if (!reader.readFlag()) return undefined;
  reader.skip(1);
  for (let field = 0; field < 4; field++) reader.readUe();
  const depth = reader.readUe();
  return reader.overrun || depth > maxReorderDepth ? undefined : depth;
}

function skipHrd(reader: BitReader): void {
  const count = Math.min(reader.readUe(), 31) + 1;
  reader.skip(8);
  for (let index = 0; index < count; index++) {
    reader.readUe();
    reader.readUe();
    reader.skip(1);
  }
  reader.skip(20);
}
