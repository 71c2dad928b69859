import { describe, expect, it } from 'vitest';
import { BitWriter } from './bit-writer.ts';
import { parseH264Sps } from './h264-sps.ts';
import { h264ReorderDepth } from './reorder-depth.ts';

type Field = readonly [kind: 'u', value: number, bits: number] | readonly [kind: 'ue' | 'se', value: number];
const u = (value: number, bits: number): Field => ['u', value, bits];
const ue = (value: number): Field => ['ue', value];
const se = (value: number): Field => ['se', value];
const flag = (value: boolean): Field => u(value ? 1 : 0, 1);

/** Encodes the fields (ITU-T H.264 §7.2 and §9.1) and appends the stop bit. */
function unitOf(fields: readonly Field[]): Buffer {
  const writer = new BitWriter();
  for (const field of [...fields, flag(true)]) {
    if (field[0] === 'u') writer.writeBits(field[1], field[2]);
    else {
      const code = field[0] === 'ue' ? field[1] : field[1] > 0 ? field[1] * 2 - 1 : -field[1] * 2;
      const length = Math.floor(Math.log2(code + 1));
      writer.writeBits(0, length);
      writer.writeBits(code + 1, length + 1);
    }
  }
  return writer.toBuffer();
}

const head = (profile: number) => [u(0x67, 8), u(profile, 8), u(0, 8), u(31, 8), ue(0)];
/** 80 × 45 macroblocks, frames only, no cropping. */
const size720p = [ue(79), ue(44), flag(true), flag(true), flag(false)];
const noVui = [flag(false)];
/** VUI with only the bitstream restriction, which contains this reorder depth. */
const vuiWithDepth = (depth: number) => [
  flag(true),
  ...Array.from({ length: 8 }, () => flag(false)),
  flag(true),
  flag(true),
  ue(0),
  ue(0),
  ue(16),
  ue(16),
  ue(depth),
  ue(4),
];
const facts = { levelIdc: 31, width: 1280, height: 720 };

describe('parseH264Sps', () => {
  it.each<[string, Field[]]>([
    ['order of type 0', [ue(0), ue(0), ue(4)]],
    ['order of type 1 with two offsets', [ue(0), ue(1), flag(false), se(-3), se(2), ue(2), se(1), se(-1)]],
    ['order of type 2', [ue(0), ue(2)]],
  ])('reads size and reorder depth after picture order type %s', (_name, order) => {
    const unit = unitOf([...head(77), ...order, ue(1), flag(false), ...size720p, ...vuiWithDepth(3)]);
    expect(parseH264Sps(unit)).toEqual({ profileIdc: 77, ...facts });
    expect(h264ReorderDepth(unit)).toBe(3);
  });

  it('reads size and reorder depth after scaling lists: one flat, one that ends early, one complete', () => {
    const lists = [flag(true), ...Array.from({ length: 16 }, () => se(0)), flag(true), se(4), se(-12)];
    const whole = [flag(true), ...Array.from({ length: 64 }, (_, index) => se(index % 2 === 0 ? 1 : -1))];
    const absent = [1, 2, 3, 4].map(() => flag(false));
    const chroma = [ue(1), ue(0), ue(0), flag(false), flag(true), ...lists, ...absent, ...whole, flag(false)];
    const unit = unitOf([...head(100), ...chroma, ue(0), ue(2), ue(1), flag(false), ...size720p, ...vuiWithDepth(3)]);
    expect(parseH264Sps(unit)).toEqual({ profileIdc: 100, ...facts });
    expect(h264ReorderDepth(unit)).toBe(3);
  });

  it.each([
    [1, true, 1280 - 2 * 2, 720 - 2 * 4],
    [1, false, 1280 - 2 * 2, 1440 - 4 * 4],
    [2, true, 1280 - 2 * 2, 720 - 4],
    [3, true, 1280 - 2, 720 - 4],
  ])('crops in units of chroma format %i, frames only: %s', (chromaFormat, framesOnly, width, height) => {
    const chroma = [ue(chromaFormat), ...(chromaFormat === 3 ? [flag(false)] : []), ue(0), ue(0), u(0, 2)];
    const cropped = [ue(79), ue(44), flag(framesOnly), ...(framesOnly ? [] : [flag(true)]), flag(true), flag(true)];
    const crop = [ue(1), ue(1), ue(2), ue(2)];
    const unit = unitOf([...head(122), ...chroma, ue(0), ue(2), ue(1), flag(false), ...cropped, ...crop, ...noVui]);
    expect(parseH264Sps(unit)).toMatchObject({ width, height });
  });

  it('reads a set with three separate color planes', () => {
    const chroma = [ue(3), flag(true), ue(0), ue(0), u(0, 2)];
    const unit = unitOf([...head(244), ...chroma, ue(0), ue(2), ue(1), flag(false), ...size720p, ...noVui]);
    expect(parseH264Sps(unit)).toEqual({ profileIdc: 244, ...facts });
  });

  it.each([
    ['cropped to nothing', [ue(0), ue(0), flag(true), flag(true), flag(true), ue(4), ue(4), ue(0), ue(0)]],
    ['larger than level 6.2', [ue(2000), ue(44), flag(true), flag(true), flag(false)]],
  ])('refuses a frame size %s', (_name, size) => {
    const unit = unitOf([...head(77), ue(0), ue(2), ue(1), flag(false), ...(size as Field[]), ...noVui]);
    expect(parseH264Sps(unit)).toBeUndefined();
    expect(h264ReorderDepth(unit)).toBeUndefined();
  });
});

describe('h264ReorderDepth', () => {
  const simple = [...head(77), ue(0), ue(2), ue(1), flag(false), ...size720p];

  it.each<[string, Field[], number | undefined]>([
    ['of the largest DPB is taken', vuiWithDepth(16), 16],
    ['beyond the largest DPB is none', vuiWithDepth(17), undefined],
    ['without VUI is unknown', noVui, undefined],
    [
      'without bitstream restriction is unknown',
      [flag(true), ...Array.from({ length: 9 }, () => flag(false))],
      undefined,
    ],
  ])('a depth %s', (_name, vui, depth) => {
    expect(h264ReorderDepth(unitOf([...simple, ...vui]))).toBe(depth);
  });
});
