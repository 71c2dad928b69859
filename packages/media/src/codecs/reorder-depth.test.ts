import { describe, expect, it } from 'vitest';
import { parseH265Sps } from './h265-sps.ts';
import { h264ReorderDepth } from './reorder-depth.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** Sequence parameter sets of x264 (FFmpeg 5.1), with max_num_reorder_frames as FFmpeg's `trace_headers` shows it. */
const h264Sets: [name: string, sps: string, depth: number | undefined][] = [
  ['three B-frames in a pyramid', '6764000cacd941419f9f011000000300100000030320f1429960', 2],
  ['one B-frame', '6764000cace405067e7c0440000003004000000c83c50a4480', 1],
  ['no B-frames', '674d400cd901419f9f011000000300100000030320f142a480', 0],
  ['the Baseline profile, which has no B-frames', '6742c00cd901419f9f011000000300100000030320f142a480', 0],
  [
    'aspect ratio, color, chroma location, timing and HRD before it',
    '6764000dacd901419f9f01a7010101b700000300010000030032602001e840007a13930c01e28532c0',
    2,
  ],
];

/** Sequence parameter sets of x265 (FFmpeg 5.1), with sps_max_num_reorder_pics as FFmpeg's `trace_headers` shows it. */
const h265Sets: [name: string, sps: string, depth: number][] = [
  [
    'four B-frames in a pyramid',
    '42010101600000030090000003000003003ca00a080b9f796566924caf016808000003000800000300c840',
    2,
  ],
  [
    'B-frames without a pyramid',
    '42010101600000030090000003000003003ca00a080b9f796444924caf016808000003000800000300c840',
    1,
  ],
  ['no B-frames', '42010101600000030090000003000003003ca00a080b9f7964a924caf0168080000003008000000c84', 0],
];

describe('h264ReorderDepth', () => {
  it.each(h264Sets)('reads %s', (_name, sps, depth) => {
    expect(h264ReorderDepth(bytes(sps))).toBe(depth);
  });

  it.each(h264Sets)('returns no wrong depth when the set with %s is truncated', (_name, sps, depth) => {
    const whole = bytes(sps);
    for (let size = 0; size < whole.length; size++) {
      const read = h264ReorderDepth(whole.subarray(0, size));
      expect(read === undefined || read === depth, `${size} bytes`).toBe(true);
    }
  });
});

describe('parseH265Sps', () => {
  it.each(h265Sets)('reads the depth of %s', (_name, sps, reorderDepth) => {
    expect(parseH265Sps(bytes(sps))).toMatchObject({ width: 320, height: 180, reorderDepth });
  });
});
