// H.265 (ITU-T H.265 | ISO/IEC 23008-2): NAL unit types, and the profile and level names that SRS uses.
import { splitLengthPrefixed } from './nal-units.ts';

export const h265NalType = { firstIrap: 16, lastIrap: 23, vps: 32, sps: 33, pps: 34, aud: 35 } as const;

const profileNames = new Map([
  [1, 'Main'],
  [2, 'Main10'],
  [3, 'Main Still Picture'],
  [4, 'Rext'],
]);

export function h265TypeOf(unit: Buffer): number {
  return ((unit[0] ?? 0) >> 1) & 0x3f;
}

/** True for IDR, CRA and BLA slices, at which a decoder can start. */
export function isIrapType(type: number): boolean {
  return type >= h265NalType.firstIrap && type <= h265NalType.lastIrap;
}

/** True for a length-prefixed access unit at which a decoder can start. */
export function isH265Keyframe(payload: Buffer): boolean {
  return splitLengthPrefixed(payload).some((unit) => isIrapType(h265TypeOf(unit)));
}

export function h265ProfileName(profileIdc: number): string {
  return profileNames.get(profileIdc) ?? 'Other';
}

/** general_level_idc 93 is `3.1`. */
export function h265LevelName(levelIdc: number): string {
  return String(Math.round(levelIdc / 3) / 10);
}
