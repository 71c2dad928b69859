import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { type AmfValue, parseAmf0 } from './amf0.ts';

/** AMF3 values after the AMF0 marker 0x11, as Flash sends them. */
const behindMarker = (hex: string): Buffer => Buffer.from(`11${hex.replaceAll(' ', '')}`, 'hex');

const golden: [name: string, hex: string, value: AmfValue][] = [
  ['undefined', '00', undefined],
  ['null', '01', null],
  ['false', '02', false],
  ['true', '03', true],
  ['integer of one byte', '04 7f', 127],
  ['integer of two bytes', '04 8100', 128],
  ['integer of four bytes', '04 bfffffff', 268_435_455],
  ['negative integer', '04 ffffffff', -1],
  ['double', '05 3ff8000000000000', 1.5],
  ['string', '06 09 6c697665', 'live'],
  ['string reference', '09 05 01 06 09 6c697665 06 00', ['live', 'live']],
  ['date', '08 01 4278bcfe56800000', new Date(1_700_000_000_000)],
  ['dense array', '09 05 01 04 01 03', [1, true]],
  ['associative array', '09 03 03 61 04 01 01 04 02', { a: 1, 0: 2 }],
  ['dynamic object', '0a 0b 01 03 61 04 01 01', { a: 1 }],
  ['sealed object', '0a 13 03 58 03 61 04 01', { a: 1 }],
  ['traits reference', '09 05 01 0a 13 03 58 03 61 04 01 0a 01 04 02', [{ a: 1 }, { a: 2 }]],
  ['object reference', '09 05 01 0a 0b 01 03 61 03 01 0a 02', [{ a: true }, { a: true }]],
  ['byte array', '0c 05 abcd', undefined],
  ['XML', '0b 07 3c612f', '<a/'],
];

describe('AMF3', () => {
  it.each(golden)('reads %s', (_name, hex, value) => {
    expect(parseAmf0(behindMarker(hex))).toEqual([value]);
  });

  it.each(golden)('%s truncated at any byte is refused', (_name, hex) => {
    const whole = behindMarker(hex);
    for (let length = 1; length < whole.length; length++) {
      expect(() => parseAmf0(whole.subarray(0, length))).toThrow(ProtocolError);
    }
  });

  it.each([
    ['an externalizable object', '0a 07 03 58'],
    ['an unknown type', '11'],
    ['a string reference to nothing', '06 08'],
    ['an object that contains itself', '09 03 01 09 00'],
    ['many sealed members', `0a f3ffff0f 01 ${'0361'.repeat(20_000)}`],
  ])('%s is refused', (_name, hex) => {
    expect(() => parseAmf0(behindMarker(hex))).toThrow(ProtocolError);
  });

  it('random bytes give values or a ProtocolError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
        try {
          parseAmf0(Buffer.concat([Buffer.of(0x11), data]));
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { seed: 1, numRuns: 3000 },
    );
  });
});
