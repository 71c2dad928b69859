import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { h265NalType } from '../../codecs/h265.ts';
import { H265Depacketizer } from './h265-depacketizer.ts';
import { packetizeH265 } from './h265-packetizer.ts';
import type { RtpPacket } from './rtp-packet.ts';

const packet = (fields: Partial<RtpPacket>): RtpPacket => ({
  ...{ marker: false, payloadType: 96, sequence: 0, timestamp: 0, ssrc: 1 },
  payload: Buffer.from([0x02, 0x01, 0xaa]),
  ...fields,
});
const hex = (text: string) => Buffer.from(text, 'hex');
const hexOf = (buffers: readonly Buffer[]) => buffers.map((buffer) => buffer.toString('hex'));

function unpacked(depacketizer: H265Depacketizer, payloads: readonly Buffer[], timestamp = 7) {
  const results = payloads.map((payload, index) =>
    depacketizer.push(packet({ payload, timestamp, marker: index === payloads.length - 1 })),
  );
  return results.at(-1);
}

describe('H.265 over RTP', () => {
  const unit = fc
    .tuple(
      fc.nat(47).filter((type) => type !== h265NalType.aud),
      fc.integer({ min: 1, max: 7 }),
      fc.uint8Array({ minLength: 1, maxLength: 5000 }),
    )
    .map(([type, temporalId, body]) => Buffer.concat([Buffer.from([type << 1, temporalId]), body]));

  it('gives the original access unit, whatever its units', () => {
    const access = fc.array(unit, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(access, fc.integer({ min: 200, max: 1400 }), (units, size) => {
        const payloads = packetizeH265(units, size);
        expect(payloads.every((payload) => payload.length <= size)).toBe(true);
        expect(hexOf(unpacked(new H265Depacketizer(), payloads)!.units)).toEqual(hexOf(units));
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  it('omits delimiters, also when they are aggregated', () => {
    const access = unpacked(new H265Depacketizer(), packetizeH265([hex('460150'), hex('2602dd')], 1200));
    expect([hexOf(access!.units), access!.payload.toString('hex')]).toEqual([['2602dd'], '000000032602dd']);
  });

  it('aggregates small units into one packet, with the lowest temporal id', () => {
    expect(hexOf(packetizeH265([hex('4001aa'), hex('4203bbcc'), hex('2602dd')], 1200))).toEqual([
      '6001' + '00034001aa' + '00044203bbcc' + '00032602dd',
    ]);
    expect(hexOf(packetizeH265([hex('2603dd')], 1200))).toEqual(['2603dd']);
  });

  it('splits a large unit into fragmentation units that repeat its header', () => {
    const keyframe = Buffer.concat([hex('2601'), Buffer.from([1, 2, 3, 4, 5, 6, 7])]);
    // Payload header with type 49, then one byte: flags S and E, and type 19 of the unit.
    expect(hexOf(packetizeH265([keyframe], 6))).toEqual(['620193010203', '620113040506', '62015307']);
  });

  it('drops units without a body', () => {
    expect(packetizeH265([hex('2601'), hex('')], 1200)).toEqual([]);
  });

  it('drops a frame with a missing fragment and continues with the next', () => {
    const payloads = packetizeH265([Buffer.concat([hex('2601'), Buffer.alloc(3000, 7)])], 1200);
    const depacketizer = new H265Depacketizer();
    depacketizer.push(packet({ payload: payloads[0]!, timestamp: 1 }));
    depacketizer.onGap();
    expect(depacketizer.push(packet({ payload: payloads[2]!, timestamp: 1, marker: true }))).toBeUndefined();
    expect(depacketizer.damagedFrames).toBe(1);
    expect(unpacked(depacketizer, [hex('0201aa')], 2)?.units).toHaveLength(1);
  });

  it('ends a frame at the next timestamp when the sender sets no marker', () => {
    const depacketizer = new H265Depacketizer();
    depacketizer.push(packet({ timestamp: 1 }));
    expect(depacketizer.push(packet({ timestamp: 2 }))?.timestamp).toBe(1);
  });

  it.each([
    ['PACI, which is not negotiated', ['6401aabb']],
    ['an aggregate whose unit is longer than the packet', ['600100094001aa']],
    ['a fragment without its first', ['620113aabb']],
    ['a fragmented unit that begins twice', ['620193aabb', '620193aabb', '620153aabb']],
    ['a fragmented unit without an end', ['620193aabb']],
  ])('counts a frame as damaged: %s', (_name, payloads) => {
    const depacketizer = new H265Depacketizer();
    expect(unpacked(depacketizer, payloads.map(hex))).toBeUndefined();
    expect(depacketizer.damagedFrames).toBe(1);
  });

  it('skips empty units of an aggregate, and payloads without a body', () => {
    const depacketizer = new H265Depacketizer();
    expect(hexOf(unpacked(depacketizer, [hex('6001' + '0000' + '00024001' + '00034001aa')])!.units)).toEqual([
      '4001aa',
    ]);
    expect(unpacked(depacketizer, [hex('0201')], 8)).toBeUndefined();
    expect(depacketizer.damagedFrames).toBe(0);
  });

  it('assembles no access unit above its limit, from units or fragments', () => {
    const half = 5 * 1024 * 1024;
    for (const [first, second] of [
      ['0201', '0201'],
      ['620193', '620153'],
    ] as const) {
      const depacketizer = new H265Depacketizer();
      const payloads = [first, second].map((head) => Buffer.concat([hex(head), Buffer.alloc(half, 1)]));
      expect(unpacked(depacketizer, payloads)).toBeUndefined();
      expect(depacketizer.damagedFrames).toBe(1);
    }
  });

  it('survives any payload', () => {
    const depacketizer = new H265Depacketizer();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), fc.nat(3), (bytes, marker, timestamp) => {
        const access = depacketizer.push(packet({ payload: Buffer.from(bytes), marker, timestamp }));
        expect(access?.units.length).not.toBe(0);
      }),
      { numRuns: 500, seed: 2 },
    );
  });
});
