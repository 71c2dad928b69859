import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isH264Keyframe } from './h264.ts';
import { isH265Keyframe } from './h265.ts';
import { joinLengthPrefixed, splitAnnexB, splitLengthPrefixed, unescapeNalUnit } from './nal-units.ts';

describe('framing of NAL units', () => {
  it('converts in both directions', () => {
    const unit = fc
      .uint8Array({ minLength: 1, maxLength: 50 })
      .map((bytes) => Buffer.from([...bytes.map((byte) => byte | 1), 0x80]));
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 5 }), fc.boolean(), (units, isLong) => {
        const code = Buffer.from(isLong ? [0, 0, 0, 1] : [0, 0, 1]);
        const annexB = Buffer.concat(units.flatMap((bytes) => [code, bytes]));
        expect(splitAnnexB(annexB)).toEqual(units);
        expect(splitLengthPrefixed(joinLengthPrefixed(units))).toEqual(units);
      }),
    );
  });

  it('stops where a length exceeds the remaining bytes', () => {
    expect(splitLengthPrefixed(Buffer.from('0000000141' + '000000ff41', 'hex'))).toEqual([Buffer.from([0x41])]);
    expect(splitLengthPrefixed(Buffer.from('000000', 'hex'))).toEqual([]);
  });

  it('drops padding and bytes before the first start code', () => {
    expect(splitAnnexB(Buffer.from('ffff000001' + '65aa0000' + '00000109f00000', 'hex'))).toEqual([
      Buffer.from('65aa', 'hex'),
      Buffer.from('09f0', 'hex'),
    ]);
  });

  it('removes emulation prevention bytes', () => {
    expect(unescapeNalUnit(Buffer.from('670000030100000300000003', 'hex')).toString('hex')).toBe(
      '67000001000000000' + '0',
    );
  });
});

describe('keyframes', () => {
  it('are detected by the type of the slices', () => {
    const wrap = (...types: number[]) => joinLengthPrefixed(types.map((type) => Buffer.from([type, 0x80])));
    expect(isH264Keyframe(wrap(0x06, 0x65))).toBe(true);
    expect(isH264Keyframe(wrap(0x06, 0x41))).toBe(false);
    expect(isH265Keyframe(wrap(21 << 1))).toBe(true);
    expect(isH265Keyframe(wrap(1 << 1))).toBe(false);
  });
});
