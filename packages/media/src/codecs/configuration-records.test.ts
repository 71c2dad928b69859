import { describe, expect, it } from 'vitest';
import { parseH264Config, writeH264Config } from './h264-config.ts';
import { parseH265Config, writeH265Config } from './h265-config.ts';

describe('avcC', () => {
  const hex = '0142c00dffe1001a6742c00dd90150878888c044000003000400000300c83c50a92001000568cb83cb20';

  it('is written as FFmpeg writes it', () => {
    const { sps, pps } = parseH264Config(Buffer.from(hex, 'hex'))!;
    expect(writeH264Config(sps, pps).toString('hex')).toBe(hex);
  });

  it('is refused when truncated', () => {
    const record = Buffer.from(hex, 'hex');
    for (let size = 0; size < record.length; size++) expect(parseH264Config(record.subarray(0, size))).toBeUndefined();
  });
});

describe('hvcC', () => {
  const hex =
    '01022000000090000000000078f000fcfdfafa00000f03a00001001840010c01ffff022000000300900000030000030078959809a10001002c420101022000000300900000030000030078a003c08010e4d96566924caf016808000003000800000300c840a2000100074401c172b46240';

  it('is written as FFmpeg writes it', () => {
    const { parameterSets } = parseH265Config(Buffer.from(hex, 'hex'))!;
    expect(writeH265Config(parameterSets)!.toString('hex')).toBe(hex);
  });

  it('cannot be written without a readable SPS', () => {
    const { parameterSets } = parseH265Config(Buffer.from(hex, 'hex'))!;
    expect(writeH265Config([parameterSets[0]!, Buffer.from([0x42, 1, 1]), parameterSets[2]!])).toBeUndefined();
  });
});
