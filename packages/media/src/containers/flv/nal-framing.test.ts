import { describe, expect, it } from 'vitest';
import { joinLengthPrefixed } from '../../codecs/nal-units.ts';
import { NalFraming } from './nal-framing.ts';

const unit = (first: number, bytes: number): Buffer => Buffer.from([first, ...Array(bytes - 1).fill(0x55)]);
const lengths = (...units: Buffer[]): Buffer => joinLengthPrefixed(units);
const codes = (size: 3 | 4, ...units: Buffer[]): Buffer =>
  Buffer.concat(units.flatMap((bytes) => [Buffer.from(size === 4 ? [0, 0, 0, 1] : [0, 0, 1]), bytes]));

const decide = (messages: readonly Buffer[], framing = new NalFraming()) =>
  messages.map((message) => framing.hasStartCodes(message));

const always = (value: boolean, count: number) => Array(count).fill(value);
/** A NAL unit whose length field is 00 00 01 25, which looks like a start code. */
const trap = unit(6, 0x125);

describe('framing of a stream', () => {
  it('is length-prefixed when every frame starts with a NAL unit of 256 to 511 bytes', () => {
    const messages = Array.from({ length: 256 }, (_, i) => lengths(unit(6, 256 + i), unit(0x41, 900)));
    expect(decide(messages)).toEqual(always(false, 256));
  });

  it('is length-prefixed when every frame is one slice of that size', () => {
    const messages = Array.from({ length: 256 }, (_, i) => lengths(unit(0x41, 256 + i)));
    expect(decide(messages)).toEqual(always(false, 256));
  });

  it('is length-prefixed when a NAL unit of one byte comes first', () => {
    expect(decide([lengths(unit(10, 1), unit(0x65, 800)), lengths(unit(10, 1))])).toEqual([false, false]);
  });

  it('is start codes of either size', () => {
    const slices = [unit(0x65, 5000), unit(0x41, 700), unit(0x41, 40)];
    expect(decide(slices.map((picture) => codes(4, unit(9, 2), picture)))).toEqual(always(true, 3));
    expect(decide(slices.map((picture) => codes(3, unit(9, 2), picture)))).toEqual(always(true, 3));
  });

  it('remains start codes for a frame that would also be valid with lengths', () => {
    const framing = new NalFraming();
    decide([codes(4, unit(0x65, 5000))], framing);
    const slice = unit(0x41, 4 + 0x141 - 3); // read as a length, 00 00 01 41 leads exactly to the end
    expect(framing.hasStartCodes(codes(3, slice))).toBe(true);
    expect(new NalFraming().hasStartCodes(codes(3, slice))).toBe(false);
  });

  it('remains length-prefixed after damaged frames that look like start codes', () => {
    const damaged = lengths(trap, unit(0x41, 900)).subarray(0, 500);
    const intact = lengths(trap, unit(0x41, 900));
    expect(decide([lengths(unit(0x65, 5000)), damaged, intact, damaged, intact])).toEqual(always(false, 5));
  });

  it('is corrected by the next valid frame when a damaged one came first', () => {
    const damaged = lengths(trap, unit(0x41, 900)).subarray(0, 500);
    const intact = lengths(trap, unit(0x41, 900));
    expect(decide([damaged, intact, intact])).toEqual([true, false, false]);
  });

  it('tolerates padding after the last length', () => {
    const padded = Buffer.concat([lengths(trap), Buffer.alloc(7)]);
    expect(decide([padded, padded])).toEqual([false, false]);
  });

  it('follows an encoder that switches to start codes', () => {
    const framing = new NalFraming();
    decide([lengths(unit(0x65, 5000))], framing);
    expect(
      decide(
        [unit(0x65, 900), unit(0x41, 900), unit(0x41, 700)].map((u) => codes(4, u)),
        framing,
      ),
    ).toEqual([false, true, true]);
  });

  it('reads lengths of two bytes', () => {
    const framing = new NalFraming();
    framing.lengthSize = 2;
    const message = Buffer.concat([Buffer.from([1, 0]), unit(0x41, 256)]);
    expect(decide([message, message], framing)).toEqual([false, false]);
  });
});
