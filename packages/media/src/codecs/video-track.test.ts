import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VideoCodec } from '../track.ts';
import { videoTrackFromConfig } from './video-track.ts';

/** Records that FFmpeg 5.1 writes (x264, x265, libaom, libvpx). The SEI was removed from the hvcC. */
const records: { name: string; codec: VideoCodec; hex: string; facts: object }[] = [
  {
    name: 'H.264 constrained baseline with cropping',
    codec: 'h264',
    hex: '0142c00dffe1001a6742c00dd90150878888c044000003000400000300c83c50a92001000568cb83cb20',
    facts: { width: 322, height: 242, profile: 'Baseline', level: '1.3' },
  },
  {
    name: 'H.264 High interlaced 1080',
    codec: 'h264',
    hex: '01640028ffe1001a67640028acd94078044fde0220000003002000000643e2c5b2c001000668fba3cb22c0fdf8f800',
    facts: { width: 1920, height: 1080, profile: 'High', level: '4' },
  },
  {
    name: 'H.264 4:2:2 10 bit',
    codec: 'h264',
    hex: '017a001effe1001b677a001eb6cd940a02ff89c044000003000400000300c83c58b65801000668ebe3cb22c0fefafa00',
    facts: { width: 640, height: 360, profile: 'High(422)', level: '3' },
  },
  {
    name: 'H.264 4:4:4',
    codec: 'h264',
    hex: '01f4001effe1001b67f4001e919b281405ff1380880000030008000003019078b16cb001000668ebe3c44844fff8f800',
    facts: { width: 640, height: 360, profile: 'High(444+Predictive)', level: '3' },
  },
  {
    name: 'H.265 Main 10',
    codec: 'h265',
    hex: '01022000000090000000000078f000fcfdfafa00000f03200001001840010c01ffff022000000300900000030000030078959809210001002c420101022000000300900000030000030078a003c08010e4d96566924caf016808000003000800000300c84022000100074401c172b46240',
    facts: { width: 1920, height: 1080, profile: 'Main10', level: '4' },
  },
  {
    name: 'AV1',
    codec: 'av1',
    hex: '81040c000a0b00000024c6a7df36be4010',
    facts: { width: 852, height: 480, profile: 'Main', level: '3.0' },
  },
  {
    name: 'VP9 with box header',
    codec: 'vp9',
    hex: '01000000001e820202020000',
    facts: { width: 0, height: 0, profile: 'Profile 0', level: '3' },
  },
];

describe('videoTrackFromConfig', () => {
  it.each(records)('reads $name', ({ codec, hex, facts }) => {
    const config = Buffer.from(hex, 'hex');
    expect(videoTrackFromConfig(codec, config)).toEqual({ kind: 'video', codec, config, ...facts });
  });

  it.each(records)('leaves values of $name unknown when it is truncated anywhere', ({ codec, hex }) => {
    const config = Buffer.from(hex, 'hex');
    for (let size = 0; size < config.length; size++) {
      const track = videoTrackFromConfig(codec, config.subarray(0, size));
      expect(track.width).toBeGreaterThanOrEqual(0);
      expect(track.width).toBeLessThanOrEqual(16_888);
    }
  });

  it('never throws on mutated records', () => {
    const mutated = fc.record({
      record: fc.constantFrom(...records),
      edits: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 8 }),
    });
    fc.assert(
      fc.property(mutated, ({ record, edits }) => {
        const config = Buffer.from(record.hex, 'hex');
        for (const [at, value] of edits) config[at % config.length] = value;
        const { width, height } = videoTrackFromConfig(record.codec, config);
        expect(Number.isInteger(width) && Number.isInteger(height) && width >= 0 && height >= 0).toBe(true);
      }),
    );
  });
});
