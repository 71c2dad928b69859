import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { h264NalType } from '../../codecs/h264.ts';
import { ProtocolError } from '../../protocol-error.ts';
import { H264Depacketizer } from './h264-depacketizer.ts';
import { packetizeH264 } from './h264-packetizer.ts';
import { parseRtcp, writeNack, writePli, writeReceiverTime, writeSenderReport } from './rtcp.ts';
import { compactNtp, RtcpRoundTrip } from './rtcp-round-trip.ts';
import { RtpClock } from './rtp-clock.ts';
import { isRtcp, parseRtpPacket, type RtpPacket, writeRtpPacket } from './rtp-packet.ts';
import { RtpReorderBuffer } from './rtp-reorder-buffer.ts';

const packet = (fields: Partial<RtpPacket>): RtpPacket => ({
  marker: false,
  payloadType: 96,
  sequence: 0,
  timestamp: 0,
  ssrc: 1,
  payload: Buffer.from([0x61, 1]),
  ...fields,
});

describe('RTP packets', () => {
  it('are written and read byte for byte', () => {
    const written = writeRtpPacket(
      packet({ marker: true, sequence: 0x1234, timestamp: 0x01020304, ssrc: 0xdeadbeef, payload: Buffer.from('ab') }),
    );
    expect(written.toString('hex')).toBe('80e0123401020304deadbeef6162');
    expect(writeRtpPacket(parseRtpPacket(written)).equals(written)).toBe(true);
  });

  it('lose their CSRCs, header extension and padding when read', () => {
    const datagram = Buffer.from('b161000700000009000000010000aaaabede00010011223374680002', 'hex');
    expect(parseRtpPacket(datagram).payload.toString()).toBe('th');
  });

  it.each(['', '80', '806000010000000000000', '4060000100000000000000016162', 'b061000700000009000000010000'])(
    'are refused when malformed: %s',
    (hex) => {
      expect(() => parseRtpPacket(Buffer.from(hex, 'hex'))).toThrow(ProtocolError);
    },
  );

  it('are distinguished from RTCP by the second byte', () => {
    expect(isRtcp(writePli(1, 2))).toBe(true);
    expect(isRtcp(writeRtpPacket(packet({ marker: true, payloadType: 127 })))).toBe(false);
  });
});

describe('H.264 over RTP', () => {
  const unit = fc
    .tuple(
      fc.integer({ min: 1, max: 23 }).filter((type) => type !== h264NalType.aud),
      fc.uint8Array({ minLength: 1, maxLength: 5000 }),
    )
    .map(([type, body]) => Buffer.concat([Buffer.from([0x60 | type]), body]));

  it('omits delimiters, and puts the length before each unit', () => {
    const depacketizer = new H264Depacketizer();
    const units = [Buffer.from([9, 0x10]), Buffer.from([0x65, 1, 2])];
    const payloads = packetizeH264(units, 1200);
    const results = payloads.map((payload, sequence) => depacketizer.push(packet({ payload, sequence, marker: true })));
    expect(results.at(-1)?.payload.toString('hex')).toBe('00000003650102');
  });

  it('gives the original access unit, whatever its units', () => {
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 200, max: 1400 }),
        (units, size) => {
          const payloads = packetizeH264(units, size);
          expect(payloads.every((payload) => payload.length <= size)).toBe(true);
          const depacketizer = new H264Depacketizer();
          const results = payloads.map((payload, index) =>
            depacketizer.push(
              packet({ payload, sequence: index, timestamp: 7, marker: index === payloads.length - 1 }),
            ),
          );
          expect(results.at(-1)?.units.map((each) => each.toString('hex'))).toEqual(
            units.map((each) => each.toString('hex')),
          );
        },
      ),
      { numRuns: 100, seed: 1 },
    );
  });

  it('puts parameter sets and a small slice into one STAP-A', () => {
    const units = [Buffer.from([0x67, 1]), Buffer.from([0x68, 2]), Buffer.from([0x65, 3])];
    expect(packetizeH264(units, 1200).map((payload) => payload.toString('hex'))).toEqual([
      '7800026701000268020002' + '6503',
    ]);
  });

  it('sends units that fit together as one packet, whatever their size', () => {
    const units = [Buffer.alloc(60, 6), Buffer.alloc(900, 1)];
    expect(packetizeH264(units, 1188).map(({ length }) => length)).toEqual([1 + 2 + 60 + 2 + 900]);
    expect(packetizeH264([...units, Buffer.alloc(300, 1)], 1188).map(({ length }) => length)).toEqual([965, 300]);
  });

  it('drops a frame with a missing fragment and continues with the next', () => {
    const big = Buffer.concat([Buffer.from([0x65]), Buffer.alloc(3000, 7)]);
    const payloads = packetizeH264([big], 1200);
    const depacketizer = new H264Depacketizer();
    depacketizer.push(packet({ payload: payloads[0]!, timestamp: 1 }));
    depacketizer.onGap();
    expect(depacketizer.push(packet({ payload: payloads[2]!, timestamp: 1, marker: true }))).toBeUndefined();
    expect(depacketizer.damagedFrames).toBe(1);
    const next = depacketizer.push(packet({ payload: Buffer.from([0x61, 1]), timestamp: 2, marker: true }));
    expect(next?.units).toHaveLength(1);
  });

  it('ends a frame at the next timestamp when the sender sets no marker', () => {
    const depacketizer = new H264Depacketizer();
    depacketizer.push(packet({ timestamp: 1 }));
    expect(depacketizer.push(packet({ timestamp: 2 }))?.timestamp).toBe(1);
  });

  it('survives any payload', () => {
    const depacketizer = new H264Depacketizer();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), fc.nat(3), (bytes, marker, timestamp) => {
        depacketizer.push(packet({ payload: Buffer.from(bytes), marker, timestamp }));
      }),
      { numRuns: 500, seed: 2 },
    );
  });
});

describe('RTCP', () => {
  it('finds a PLI after a receiver report', () => {
    expect(parseRtcp(writePli(1, 0x22))).toEqual([{ kind: 'keyframe-request', mediaSsrc: 0x22 }]);
  });

  it('skips a packet that is only a header, and reads those after it', () => {
    for (const type of ['c8', 'c9', 'cb', 'cd', 'ce', 'cf']) {
      const bare = Buffer.from(`80${type}0000`, 'hex');
      expect(parseRtcp(Buffer.concat([bare, writePli(1, 0x22)])), type).toHaveLength(1);
      expect(parseRtcp(Buffer.concat([bare, bare])), type).toEqual([]);
    }
  });

  it('returns the packets of a NACK, across the wrap', () => {
    const sequences = [65_530, 65_535, 0, 3, 40];
    expect(parseRtcp(writeNack(1, 2, sequences))).toEqual([{ kind: 'nack', mediaSsrc: 2, sequences }]);
  });

  it('keeps the wall clock of a sender report', () => {
    const [item] = parseRtcp(
      writeSenderReport({ ssrc: 5, ntpMs: 1_795_000_000_123, rtpTimestamp: 99, packetCount: 1, octetCount: 2 }),
    );
    expect(item).toMatchObject({ kind: 'sender-report', ssrc: 5, rtpTimestamp: 99 });
    // NTP time of 1,795,000,000.123 s: seconds since 1900 modulo 2^16, and the fraction.
    expect(item?.kind === 'sender-report' && item.compactNtp).toBe(((4_003_988_800 % 65_536) * 65_536 + 8_060) >>> 0);
    expect(item?.kind === 'sender-report' && item.ntpMs).toBeCloseTo(1_795_000_000_123, 1);
  });

  it("reads a receiver's data about the last sender report", () => {
    const report = Buffer.from('81c90007000000010000002240000005000100000000000912345678' + '00008000', 'hex');
    expect(parseRtcp(report)).toEqual([
      { kind: 'receiver-report', ssrc: 0x22, lossFraction: 0.25, jitter: 9, lastReport: 0x12345678, delay: 0x8000 },
    ]);
  });

  it('requests the round-trip time from a sender as RFC 3611 defines', () => {
    // An empty receiver report, then a block of type 4 with 1.5 s as 64-bit time.
    expect(writeReceiverTime(7, 1_500).toString('hex')).toBe(
      '80c9000100000007' + '80cf000400000007' + '04000002' + '0000000180000000',
    );
  });

  it('writes a receiver report with each source before the reference time', () => {
    const report = {
      lostShare: 64,
      lostPackets: -2,
      highestSequence: 0x1_0005,
      jitter: 9,
      lastReport: 0x12345678,
      delay: 0x8000,
    };
    const packet = writeReceiverTime(7, 1_500, [
      { ssrc: 0x22, ...report },
      { ssrc: 0x33, ...report, lostPackets: 5 },
    ]);
    const rest = '00010005' + '00000009' + '12345678' + '00008000';
    expect(packet.subarray(0, 56).toString('hex')).toBe(
      '82c9000d00000007' + '00000022' + '40fffffe' + rest + '00000033' + '40000005' + rest,
    );
    expect(packet.subarray(56).equals(writeReceiverTime(7, 1_500).subarray(8))).toBe(true);
    expect(parseRtcp(packet)).toMatchObject([{ kind: 'receiver-report', ssrc: 0x22, lossFraction: 0.25, jitter: 9 }]);
  });

  it('finds the response among other blocks of an extended report', () => {
    const unknown = '01000001aabbccdd';
    const response = '05000003' + '00000001' + '00018000' + '00004000';
    const report = Buffer.from(`80cf0007${'00000099'}${unknown}${response}`, 'hex');
    expect(parseRtcp(report)).toEqual([{ kind: 'receiver-time-echo', ssrc: 1, lastReport: 0x18000, delay: 0x4000 }]);
    for (let length = 0; length < report.length; length++) expect(parseRtcp(report.subarray(0, length))).toEqual([]);
  });

  it('accepts a packet that is only a header, such as a BYE without sources', () => {
    expect(parseRtcp(Buffer.from([0x80, 203, 0, 0, 0x80, 203, 0, 0]))).toEqual([]);
    expect(parseRtcp(Buffer.concat([Buffer.from([0x80, 203, 0, 0]), writePli(1, 7)]))).toEqual([
      { kind: 'keyframe-request', mediaSsrc: 7 },
    ]);
  });

  it('survives arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        parseRtcp(Buffer.from(bytes));
      }),
      { numRuns: 500, seed: 3 },
    );
  });
});

describe('the round-trip time', () => {
  const echo = (sentMs: number, keptMs: number) => ({ lastReport: compactNtp(sentMs), delay: compactNtp(keptMs) });

  it("is the elapsed time minus the peer's delay", () => {
    const trip = new RtcpRoundTrip();
    expect(trip.ms).toBe(0);
    trip.add(echo(10_000, 400), 10_450);
    expect(trip.ms).toBe(50);
    trip.add(echo(11_000, 400), 11_490);
    expect(trip.ms).toBe(55);
  });

  it('is correct across the wrap of the report times', () => {
    const trip = new RtcpRoundTrip();
    trip.add(echo(65_535_990, 0), 65_536_020);
    expect(trip.ms).toBe(30);
  });

  it.each([
    ['a response to no report', { lastReport: 0, delay: 0 }],
    ['a report from the future', echo(20_000, 0)],
    ['a delay longer than the age of the report', echo(9_000, 3_000)],
    ['a report that is too old', echo(10_000 - 60_000, 0)],
  ])('ignores %s', (_name, impossible) => {
    const trip = new RtcpRoundTrip();
    trip.add(impossible, 10_000);
    expect(trip.ms).toBe(0);
  });
});

describe('the reorder buffer', () => {
  const limits = { maxWaitMs: 100, maxPackets: 50 };
  const sequencesOf = (ready: { packet: RtpPacket }[]) => ready.map((each) => each.packet.sequence);

  it('delays later packets until the missing one arrives', () => {
    const buffer = new RtpReorderBuffer(limits);
    expect(sequencesOf(buffer.push(packet({ sequence: 65_535 }), 0))).toEqual([65_535]);
    expect(buffer.push(packet({ sequence: 1 }), 1)).toEqual([]);
    expect(buffer.missing(2)).toEqual([0]);
    expect(buffer.missing(3)).toEqual([]);
    expect(sequencesOf(buffer.push(packet({ sequence: 0 }), 4))).toEqual([0, 1]);
    expect(buffer.lostPackets).toBe(0);
  });

  it('skips a gap after its maximum wait, and reports it', () => {
    const buffer = new RtpReorderBuffer(limits);
    buffer.push(packet({ sequence: 10 }), 0);
    buffer.push(packet({ sequence: 13 }), 10);
    expect(buffer.tick(109)).toEqual([]);
    const ready = buffer.tick(111);
    expect(ready).toMatchObject([{ afterGap: true, packet: { sequence: 13 } }]);
    expect(buffer.lostPackets).toBe(2);
  });

  it('ignores duplicates and restarts after a jump', () => {
    const buffer = new RtpReorderBuffer(limits);
    buffer.push(packet({ sequence: 10 }), 0);
    expect(buffer.push(packet({ sequence: 10 }), 0)).toEqual([]);
    expect(buffer.push(packet({ sequence: 20_000 }), 0)).toMatchObject([{ afterGap: true }]);
    expect(sequencesOf(buffer.push(packet({ sequence: 20_001 }), 0))).toEqual([20_001]);
  });
});

describe('the RTP clock', () => {
  it('continues across the 32-bit wrap', () => {
    const clock = new RtpClock(90_000);
    expect(clock.toMs(2 ** 32 - 9_000, 1000)).toBe(1000);
    expect(clock.toMs(9_000, 1000)).toBeCloseTo(1200, 6);
    expect(clock.toMs(2 ** 32 - 900, 1000)).toBeCloseTo(1090, 6);
  });

  it('maps two sources to one wall clock', () => {
    const video = new RtpClock(90_000);
    const audio = new RtpClock(48_000);
    video.toMs(5_000_000, 10);
    audio.toMs(77, 35);
    video.synchronise(50_000, 5_090_000, -49_000);
    audio.synchronise(50_000, 48_077, -49_000);
    expect(video.toMs(5_090_000, 0)).toBeCloseTo(1000, 6);
    expect(audio.toMs(48_077, 0)).toBeCloseTo(1000, 6);
  });
});
