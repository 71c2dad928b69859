import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { obuTypeOf, readLeb128, splitObus, withSizes, writeAv1Config, writeLeb128 } from '../../codecs/av1.ts';
import { Av1Depacketizer } from './av1-depacketizer.ts';
import { packetizeAv1 } from './av1-packetizer.ts';
import type { RtpPacket } from './rtp-packet.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const hexOf = (units: readonly Buffer[] = []) => units.map((unit) => unit.toString('hex'));
const record = '81040c000a0b00000024c6a7df36be4010';
const sequenceHeader = splitObus(hex(record).subarray(4))[0]!;

const packet = (payload: Buffer, more: Partial<RtpPacket> = {}): RtpPacket => ({
  ...{ marker: false, payloadType: 96, sequence: 0, timestamp: 7, ssrc: 1, payload },
  ...more,
});
const unpacked = (payloads: readonly Buffer[], depacketizer = new Av1Depacketizer()) =>
  payloads
    .map((payload, sequence) =>
      depacketizer.push(packet(payload, { sequence, marker: sequence === payloads.length - 1 })),
    )
    .at(-1);

/** OBUs of all types that are sent, some with an extension byte. */
const obu = fc
  .tuple(fc.constantFrom(1, 3, 4, 5, 6, 7), fc.boolean(), fc.uint8Array({ minLength: 1, maxLength: 5_000 }))
  .map(([type, isExtended, body]) =>
    Buffer.concat([isExtended ? Buffer.of((type << 3) | 4, 0x20) : Buffer.of(type << 3), body]),
  );

describe('AV1 over RTP', () => {
  it('gives the original OBUs, whatever their size', () => {
    fc.assert(
      fc.property(fc.array(obu, { minLength: 1, maxLength: 6 }), fc.integer({ min: 200, max: 1400 }), (obus, size) => {
        const payloads = packetizeAv1(obus, size);
        expect(payloads.every((payload) => payload.length <= size)).toBe(true);
        const unit = unpacked(payloads)!;
        expect(hexOf(unit.units)).toEqual(hexOf(obus));
        expect(unit.payload.equals(Buffer.concat(withSizes(obus)))).toBe(true);
        expect(hexOf(splitObus(unit.payload))).toEqual(hexOf(obus));
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  it('sends no delimiters and no padding, and marks the start of a coded video sequence', () => {
    const [delimiter, padding, keyframe, inter] = [hex('10'), hex('7800'), hex('300011'), hex('302011')];
    expect(hexOf(packetizeAv1([delimiter, sequenceHeader, keyframe, padding], 1200))).toEqual([
      `08${'0c'}${sequenceHeader.toString('hex')}${'03300011'}`,
    ]);
    expect(hexOf(packetizeAv1([delimiter, inter], 1200))).toEqual(['0003302011']);
  });

  it('reads elements without a length, with size fields, and fragments of other senders', () => {
    expect(hexOf(unpacked([hex('10302011')])!.units)).toEqual(['302011']);
    expect(hexOf(unpacked([hex('2002080130 2011'.replace(' ', ''))])!.units)).toEqual(['0801', '302011']);
    expect(hexOf(unpacked([hex('00023200')])!.units)).toEqual(['30']);
    expect(hexOf(unpacked([hex('503020'), hex('9011')])!.units)).toEqual(['302011']);
    expect(hexOf(unpacked([hex('1012003203201122')])!.units)).toEqual(['30201122']);
  });

  it('drops a temporal unit with a missing or malformed part, and continues with the next', () => {
    const payloads = packetizeAv1([Buffer.concat([hex('30'), Buffer.alloc(3_000, 7)])], 1200);
    const depacketizer = new Av1Depacketizer();
    depacketizer.push(packet(payloads[0]!));
    depacketizer.onGap();
    expect(depacketizer.push(packet(payloads[2]!, { marker: true }))).toBeUndefined();
    for (const malformed of ['00ff', '0005302011', '803020', '40302011']) {
      expect(depacketizer.push(packet(hex(malformed), { marker: true, timestamp: 8 }))).toBeUndefined();
    }
    expect(depacketizer.damagedFrames).toBe(5);
    expect(hexOf(unpacked([hex('0003302011')], depacketizer)!.units)).toEqual(['302011']);
  });

  it('drops a temporal unit of too many OBUs', () => {
    const many = Buffer.concat(Array<Buffer>(600).fill(hex('3200')));
    const depacketizer = new Av1Depacketizer();
    const payloads = Array.from({ length: 8 }, () => Buffer.concat([hex('10'), many]));
    expect(unpacked(payloads, depacketizer)).toBeUndefined();
    expect([depacketizer.damagedFrames, unpacked(payloads.slice(0, 6), depacketizer)?.units.length]).toEqual([
      1, 3_600,
    ]);
  });

  it('throws nothing for any payload', () => {
    const depacketizer = new Av1Depacketizer();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, marker) => {
        const unit = depacketizer.push(packet(Buffer.from(bytes), { marker }));
        for (const each of unit?.units ?? []) writeAv1Config(each);
      }),
      { numRuns: 5_000, seed: 1 },
    );
  });
});

describe('AV1 configuration', () => {
  it('of a sequence header is that of the encoder', () => {
    expect(writeAv1Config(sequenceHeader)?.toString('hex')).toBe(record);
    expect(obuTypeOf(sequenceHeader)).toBe(1);
    expect(writeAv1Config(sequenceHeader.subarray(0, 4))).toBeUndefined();
  });

  it('has lengths of one byte per seven bits', () => {
    for (const value of [0, 1, 127, 128, 16_383, 16_384, 2 ** 31]) {
      const bytes = writeLeb128(value);
      expect(readLeb128(bytes, 0)).toEqual({ value, end: bytes.length });
    }
  });
});
