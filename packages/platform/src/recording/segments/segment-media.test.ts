import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSegmentMedia } from './segment-media.ts';

test('garbage instead of a segment does not throw', () => {
  const packet = fc.uint8Array({ minLength: 188, maxLength: 188 }).map((bytes) => {
    const buffer = Buffer.from(bytes);
    buffer[0] = 0x47;
    // Few packet ids, so that tables and first packets reach the parsers.
    buffer.writeUInt16BE(0x4000 | ((bytes[1] ?? 0) % 3), 1);
    return buffer;
  });
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 12 }), fc.nat(2000), (packets, length) => {
      const media = readSegmentMedia(Buffer.concat(packets).subarray(0, length));
      expect(Array.isArray(media.tracks)).toBe(true);
    }),
    { numRuns: 500, seed: 5 },
  );
});
