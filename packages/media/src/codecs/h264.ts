// H.264 (ITU-T H.264 | ISO/IEC 14496-10): NAL unit types, and the profile and level names that SRS uses.
import { splitLengthPrefixed } from './nal-units.ts';

export const h264NalType = {
  slice: 1,
  idr: 5,
  sei: 6,
  sps: 7,
  pps: 8,
  aud: 9,
  endOfSequence: 10,
  spsExtension: 13,
} as const;

const profileNames = new Map([
  [66, 'Baseline'],
  [77, 'Main'],
  [88, 'Extended'],
  [100, 'High'],
  [110, 'High(10)'],
  [122, 'High(422)'],
  [144, 'High(444)'],
  [244, 'High(444+Predictive)'],
]);

export function h264TypeOf(unit: Buffer): number {
  return (unit[0] ?? 0) & 0x1f;
}

/** True for a length-prefixed access unit with an IDR slice. */
export function isH264Keyframe(payload: Buffer): boolean {
  return splitLengthPrefixed(payload).some((unit) => h264TypeOf(unit) === h264NalType.idr);
}

export function h264ProfileName(profileIdc: number): string {
  return profileNames.get(profileIdc) ?? 'Other';
}

/** level_idc 31 is `3.1`. */
export function h264LevelName(levelIdc: number): string {
  return String(levelIdc / 10);
}
