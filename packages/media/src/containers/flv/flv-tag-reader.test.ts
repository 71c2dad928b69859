import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { audio, keyframe, video } from '../../testing/media.ts';
import { toFlvMessage, toFlvTag } from './flv-muxer.ts';
import { FlvTagReader } from './flv-tag-reader.ts';

const packets = [keyframe(0, { bytes: 700 }), audio(7), video(40), audio(2 ** 32 - 1), video(80, { bytes: 70_000 })];
const tags = Buffer.concat(packets.map((packet) => toFlvTag(toFlvMessage(packet))));
const expected = packets.map((packet) => {
  const { type, head, payload, timestampMs } = toFlvMessage(packet);
  return { type, timestampMs, body: Buffer.concat([head, payload]).toString('hex') };
});

function read(pieces: readonly Buffer[]) {
  const found: { type: number; timestampMs: number; body: string }[] = [];
  const reader = new FlvTagReader((type, body, timestampMs) =>
    found.push({ type, timestampMs, body: body.toString('hex') }),
  );
  for (const piece of pieces) reader.read(piece);
  return found;
}

it('finds the same tags however their bytes are split', () => {
  expect(read([tags])).toEqual(expected);
  fc.assert(
    fc.property(fc.array(fc.nat(tags.length), { maxLength: 20 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), tags.length];
      expect(read(at.slice(1).map((end, i) => tags.subarray(at[i], end)))).toEqual(expected);
    }),
    { numRuns: 100, seed: 3 },
  );
  const [first] = expected;
  const headLength = 11 + 705 + 4;
  for (let length = 0; length < headLength; length++) {
    expect(read([tags.subarray(0, length), tags.subarray(length, headLength)]), `cut at ${length}`).toEqual([first]);
  }
});

it('returns nothing of an incomplete tag', () => {
  expect(read([tags.subarray(0, tags.length - 1)])).toEqual(expected.slice(0, -1));
});

it('parses arbitrary bytes as tags or throws a ProtocolError', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 }), (pieces) => {
      try {
        read(pieces.map((piece) => Buffer.from(piece)));
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
      }
    }),
    { numRuns: 2_000, seed: 5 },
  );
  expect(() => read([Buffer.alloc(15)])).toThrow('an FLV tag is not followed by its size');
});
