// Determines the role of a message within an H.264 or H.265 frame, for encoders that send a message per slice or NAL unit.
import { h264NalType } from '../../codecs/h264.ts';
import { h265NalType } from '../../codecs/h265.ts';
import type { NalCodec } from '../../codecs/parameter-sets.ts';

/**
 * `start`: starts with the first slice of a frame, or has a `prefix` unit before a later slice. `continuation`: starts with a later slice.
 * `prefix`: no slice; belongs to the next frame (delimiter, parameter sets, SEI). `suffix`: no slice; belongs to the previous frame.
 */
export type FramePart = 'start' | 'continuation' | 'prefix' | 'suffix';

type UnitRole = 'first-slice' | 'slice' | 'prefix' | 'suffix';

const roleOf: Record<NalCodec, (payload: Buffer, at: number) => UnitRole> = { h264: h264Role, h265: h265Role };

/** `payload` has 4-byte lengths. A payload without a NAL unit, or with a truncated unit before its slices, counts as `start`. */
export function framePartOf(codec: NalCodec, payload: Buffer): FramePart {
  let part: FramePart = 'start';
  for (let at = 0; at + 4 < payload.length; ) {
    const size = payload.readUInt32BE(at);
    const role = size === 0 ? 'suffix' : roleOf[codec](payload, at + 4);
    if (role === 'first-slice') return 'start';
    // NAL units of the role `prefix` start a frame (ITU-T H.264 §7.4.1.2.3), even if the first slice was lost.
    if (role === 'slice') return part === 'prefix' ? 'start' : 'continuation';
    at += 4 + size;
    if (at > payload.length) return 'start';
    if (role === 'prefix') part = 'prefix';
    else if (part === 'start') part = 'suffix';
  }
  return part;
}

/** §7.3.3: first_mb_in_slice is the first field. The value 0 (the first slice) is coded as a single 1 bit. */
function h264Role(payload: Buffer, at: number): UnitRole {
  const type = payload[at]! & 0x1f;
  const { slice, idr, sei, sps, pps, aud } = h264NalType;
  if (type >= slice && type <= idr) {
    const hasPosition = type === slice || type === 2 || type === idr; // partitions B and C of a slice follow its partition A
    return hasPosition && ((payload[at + 1] ?? 0) & 0x80) !== 0 ? 'first-slice' : 'slice';
  }
  return type === sei || type === sps || type === pps || type === aud || (type >= 14 && type <= 18)
    ? 'prefix'
    : 'suffix';
}

/** ITU-T H.265 §7.3.6.1: first_slice_segment_in_pic_flag is the first bit. §7.4.2.4.4: unit types before and after the slices. */
function h265Role(payload: Buffer, at: number): UnitRole {
  const type = (payload[at]! >> 1) & 0x3f;
  const { vps, aud } = h265NalType;
  if (type < vps) return ((payload[at + 2] ?? 0) & 0x80) !== 0 ? 'first-slice' : 'slice';
  const isPrefix = type <= aud || type === 39 || (type >= 41 && type <= 44) || (type >= 48 && type <= 55);
  return isPrefix ? 'prefix' : 'suffix';
}
