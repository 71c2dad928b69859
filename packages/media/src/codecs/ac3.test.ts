import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAc3Header } from './ac3.ts';

describe('the header of AC-3', () => {
  it.each([
    // The first two are frames from FFmpeg's encoders, at 192 and 448 kbps.
    [
      'AC-3',
      '0b77c2ea544043e1',
      { codec: 'ac3', sampleRate: 44_100, channels: 2, frameSize: 834, frameSamples: 1_536 },
    ],
    [
      'E-AC-3',
      '0b77037f3f87c000',
      { codec: 'eac3', sampleRate: 48_000, channels: 6, frameSize: 1_792, frameSamples: 1_536 },
    ],
    ['a dependent E-AC-3 frame', '0b77437f3f87c000', { codec: 'eac3', frameSamples: 0 }],
    ['one block at half the rate', '0b77037fcf87c000', { sampleRate: 24_000, frameSamples: 1_536 }],
  ])('of %s', (_name, hex, expected) => {
    expect(parseAc3Header(Buffer.from(`ff${hex}`, 'hex'), 1)).toMatchObject(expected);
  });

  it.each(['0b77c2ea5440', '0b78c2ea544043e1', '0b77c2eaff4043e1', '0b77c2eafc4043e1', '0b77c2ea549043e1'])(
    'is not found in %s',
    (hex) => {
      expect(parseAc3Header(Buffer.from(hex, 'hex'))).toBeUndefined();
    },
  );

  it('never throws, and a frame is at least as long as its header', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const header = parseAc3Header(Buffer.concat([Buffer.from('0b77', 'hex'), bytes]));
        if (header) expect(header.frameSize).toBeGreaterThanOrEqual(8);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});
