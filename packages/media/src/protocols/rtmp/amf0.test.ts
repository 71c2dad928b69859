import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { maxAmfBytes, maxAmfDepth, maxAmfValues } from './amf-value.ts';
import { type AmfObject, type AmfValue, EcmaArray, parseAmf0, writeAmf0 } from './amf0.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

const golden: [name: string, value: AmfValue, hex: string][] = [
  ['number', 1, '00 3ff0000000000000'],
  ['negative number', -2000, '00 c09f400000000000'],
  ['true', true, '01 01'],
  ['false', false, '01 00'],
  ['string', 'live', '02 0004 6c697665'],
  ['empty string', '', '02 0000'],
  ['text beyond ASCII', '流', '02 0003 e6b581'],
  ['null', null, '05'],
  ['undefined', undefined, '06'],
  ['object', { app: 'live', n: 1 }, '03 0003 617070 02 0004 6c697665 0001 6e 00 3ff0000000000000 0000 09'],
  ['empty object', {}, '03 0000 09'],
  ['nested object', { a: { b: null } }, '03 0001 61 03 0001 62 05 0000 09 0000 09'],
  ['strict array', ['av01', true], '0a 00000002 02 0004 61763031 01 01'],
  ['date', new Date(1_700_000_000_000), '0b 4278bcfe56800000 0000'],
];

describe('AMF0', () => {
  it.each(golden)('writes and reads %s', (_name, value, hex) => {
    expect(writeAmf0(value).toString('hex')).toBe(hex.replaceAll(' ', ''));
    expect(parseAmf0(bytes(hex))).toEqual([value]);
  });

  it('carries text over 65535 bytes as long string', () => {
    const text = 'x'.repeat(70_000);
    const written = writeAmf0(text);
    expect(written.subarray(0, 5).toString('hex')).toBe('0c00011170');
    expect(parseAmf0(written)).toEqual([text]);
  });

  it('writes metadata as ECMA array and reads it as object', () => {
    const written = writeAmf0('onMetaData', new EcmaArray({ width: 1 }));
    expect(written.toString('hex')).toContain('08000000010005776964746800');
    expect(parseAmf0(written)).toEqual(['onMetaData', { width: 1 }]);
  });

  it('ignores the count of an ECMA array, which encoders get wrong', () => {
    expect(parseAmf0(bytes('08 000000ff 0001 61 05 0000 09'))).toEqual([{ a: null }]);
  });

  it('follows a reference and reads a typed object', () => {
    expect(parseAmf0(bytes('03 0001 61 05 0000 09  07 0000'))).toEqual([{ a: null }, { a: null }]);
    expect(parseAmf0(bytes('10 0001 58 0001 61 05 0000 09'))).toEqual([{ a: null }]);
  });

  it('drops a member that would change a prototype', () => {
    const evil = Buffer.concat([
      bytes('03 0009'),
      Buffer.from('__proto__'),
      writeAmf0({ polluted: 1 }),
      bytes('0000 09'),
    ]);
    const [object] = parseAmf0(evil);
    expect((object as AmfObject).polluted).toBeUndefined();
    expect(Object.keys(object as AmfObject)).toEqual([]);
  });

  it('parses any values that it wrote', () => {
    const value = fc.letrec<{ any: AmfValue }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.double({ noNaN: true }),
        fc.string({ unit: 'grapheme' }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('any'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).any;
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (values) => {
        expect(parseAmf0(writeAmf0(...values))).toEqual(values);
      }),
      { seed: 1 },
    );
  });
});

describe('AMF0 from a malicious peer', () => {
  it.each(golden)('%s truncated at any byte is refused', (_name, value) => {
    const whole = writeAmf0(value);
    for (let length = 1; length < whole.length; length++) {
      expect(() => parseAmf0(whole.subarray(0, length))).toThrow(ProtocolError);
    }
  });

  it.each([
    ['nesting', Buffer.alloc((maxAmfDepth + 1) * 5, bytes('0a 00000001'))],
    ['a huge count', bytes('0a ffffffff 05')],
    ['an unknown type', bytes('11 ff')],
    ['a reference to nothing', bytes('07 0005')],
    ['an array that contains itself', bytes('0a 00000001 07 0000')],
    ['many values', Buffer.alloc(maxAmfValues + 1, 5)],
    ['a long message', Buffer.alloc(maxAmfBytes + 1, 5)],
  ])('%s is refused', (_name, data) => {
    expect(() => parseAmf0(data)).toThrow(ProtocolError);
  });

  it('references whose size doubles at each step are refused', () => {
    // Each array contains the previous array twice: 2^n values with resolved references.
    const levels = [bytes('0a 00000001 05')];
    for (let i = 0; i < 30; i++)
      levels.push(bytes(`0a 00000002 07 00${i.toString(16).padStart(2, '0')} 07 00${i.toString(16).padStart(2, '0')}`));
    expect(() => parseAmf0(Buffer.concat(levels))).toThrow(ProtocolError);
  });

  it('random bytes give values or a ProtocolError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
        parsesOrRefuses(Buffer.from(data));
      }),
      { seed: 2, numRuns: 2000 },
    );
  });

  it('changed bytes of real messages give values or a ProtocolError', () => {
    const real = golden.map(([, value]) => writeAmf0(value));
    const change = fc.tuple(fc.nat({ max: real.length - 1 }), fc.nat(), fc.nat({ max: 255 }));
    fc.assert(
      fc.property(change, ([which, at, byte]) => {
        const data = Buffer.from(real[which]!);
        data[at % data.length] = byte;
        parsesOrRefuses(data);
      }),
      { seed: 3, numRuns: 2000 },
    );
  });
});

function parsesOrRefuses(data: Buffer): void {
  try {
    parseAmf0(data);
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError);
  }
}
