import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AudioCodec } from '../../track.ts';
import {
  AacDepacketizer,
  type AudioDepacketizer,
  MpegAudioDepacketizer,
  PlainDepacketizer,
  packetizeAudio,
} from './audio-payloads.ts';
import type { RtpPacket } from './rtp-packet.ts';

const aacHbr = { sizeBits: 13, indexBits: 3, indexDeltaBits: 3 };
const packet = (payload: Buffer, timestamp = 0): RtpPacket => ({
  ...{ marker: true, payloadType: 97, sequence: 0, ssrc: 1 },
  timestamp,
  payload,
});
const hex = (text: string) => Buffer.from(text, 'hex');
const read = (depacketizer: AudioDepacketizer, payload: Buffer, timestamp = 0) =>
  depacketizer
    .push(packet(payload, timestamp))
    .map((frame) => ({ bytes: frame.payload.toString('hex'), at: frame.timestamp }));

/** MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes with 1152 samples, 2351 ticks of 90 kHz. */
const mp3Frame = (fill: number) => Buffer.concat([hex('fffb9064'), Buffer.alloc(413, fill)]);
const mp3Ticks = 2351;

describe('payloads of audio', () => {
  const depacketizerOf = (codec: AudioCodec): AudioDepacketizer => {
    if (codec === 'aac') return new AacDepacketizer(aacHbr, 1024);
    return codec === 'mp3' ? new MpegAudioDepacketizer() : new PlainDepacketizer();
  };

  it.each<[AudioCodec, Buffer]>([
    ['aac', Buffer.alloc(400, 7)],
    ['aac', Buffer.alloc(3000, 7)],
    ['mp3', mp3Frame(7)],
    ['opus', Buffer.alloc(120, 7)],
    ['pcmu', Buffer.alloc(160, 7)],
  ])('of %s give the original frame', (codec, frame) => {
    for (const size of [200, 500, 1400]) {
      const payloads = packetizeAudio(codec, frame, size).map(({ payload }) => payload);
      expect(payloads.every(({ length }) => length <= size)).toBe(true);
      const depacketizer = depacketizerOf(codec);
      const frames = payloads.flatMap((payload) => depacketizer.push(packet(payload, 99)));
      expect(frames).toEqual([{ payload: frame, timestamp: 99 }]);
    }
  });

  it('of AAC start with the size of the frame in 13 bits', () => {
    expect(packetizeAudio('aac', hex('aabbcc'), 100).map(({ payload }) => payload.toString('hex'))).toEqual([
      '00100018aabbcc',
    ]);
  });

  it('of MPEG audio start with the offset of the fragment', () => {
    const payloads = packetizeAudio('mp2', Buffer.alloc(600, 1), 304);
    expect(payloads.map(({ payload }) => [payload.toString('hex', 0, 4), payload.length])).toEqual([
      ['00000000', 304],
      ['0000012c', 304],
    ]);
  });

  it('of G.711 advance by one tick per byte, which is one sample', () => {
    const payloads = packetizeAudio('pcma', Buffer.alloc(400, 1), 160);
    expect(payloads.map(({ payload, afterTicks }) => [payload.length, afterTicks])).toEqual([
      [160, 0],
      [160, 160],
      [80, 320],
    ]);
  });
});

describe('AacDepacketizer', () => {
  const depacketizer = () => new AacDepacketizer(aacHbr, 1024);

  it('spaces the frames of one packet by the frame duration, across the wrap of the clock', () => {
    // Three AU headers: 2, 3 and 1 bytes.
    const payload = hex('0030' + '0010' + '0018' + '0008' + 'a1a2' + 'b1b2b3' + 'c1');
    expect(read(depacketizer(), payload, 2 ** 32 - 1024)).toEqual([
      { bytes: 'a1a2', at: 2 ** 32 - 1024 },
      { bytes: 'b1b2b3', at: 0 },
      { bytes: 'c1', at: 1024 },
    ]);
  });

  it('reads AU headers of other lengths', () => {
    // RFC 3640 §3.3.5, low bit rate: 6 bits for the size, 2 bits for the index.
    const lowRate = new AacDepacketizer({ sizeBits: 6, indexBits: 2, indexDeltaBits: 2 }, 1024);
    expect(read(lowRate, hex('0010' + '08' + '04' + 'a1a2' + 'b1'))).toEqual([
      { bytes: 'a1a2', at: 0 },
      { bytes: 'b1', at: 1024 },
    ]);
  });

  it('drops truncated and empty frames', () => {
    expect(read(depacketizer(), hex('0030' + '0010' + '0000' + '0018' + 'a1a2' + 'b1'))).toEqual([
      { bytes: 'a1a2', at: 0 },
    ]);
  });

  it('drops a frame with a missing fragment', () => {
    const [first, second, third] = packetizeAudio('aac', Buffer.alloc(900, 5), 404).map(({ payload }) => payload);
    const reader = depacketizer();
    expect(read(reader, first!)).toEqual([]);
    reader.onGap();
    expect(read(reader, third!)).toEqual([]);
    expect(read(reader, hex('00100008ee'))).toEqual([{ bytes: 'ee', at: 0 }]);
    expect(second).toHaveLength(404);
  });

  it('produces no frame from truncated headers', () => {
    const reader = depacketizer();
    expect(read(reader, hex('0010' + '00'))).toEqual([]);
    expect(read(reader, hex('0001'))).toEqual([]);
    expect(read(reader, hex('00'))).toEqual([]);
  });

  it('stores at most a frame of the maximum size', () => {
    const large = new AacDepacketizer({ sizeBits: 32, indexBits: 0, indexDeltaBits: 0 }, 1024);
    expect(read(large, hex('0020' + '00004001' + 'aa'))).toEqual([]);
    expect(read(large, hex('0020' + '00000001' + 'aa'))).toEqual([{ bytes: 'aa', at: 0 }]);
  });

  it('survives any payload', () => {
    const formats = fc.record({ sizeBits: fc.nat(32), indexBits: fc.nat(32), indexDeltaBits: fc.nat(32) });
    fc.assert(
      fc.property(formats, fc.array(fc.uint8Array({ maxLength: 40 })), (format, payloads) => {
        const reader = new AacDepacketizer(format, 1024);
        for (const bytes of payloads) {
          for (const frame of reader.push(packet(Buffer.from(bytes)))) expect(frame.payload.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500, seed: 3 },
    );
  });
});

describe('MpegAudioDepacketizer', () => {
  const head = hex('00000000');

  it('splits a packet of several frames, each with its own time', () => {
    const frames = [mp3Frame(1), mp3Frame(2)];
    expect(read(new MpegAudioDepacketizer(), Buffer.concat([head, ...frames]), 500)).toEqual(
      frames.map((frame, index) => ({ bytes: frame.toString('hex'), at: 500 + index * mp3Ticks })),
    );
  });

  it('drops a frame whose first part is missing, and invalid frames', () => {
    const reader = new MpegAudioDepacketizer();
    const [, second] = packetizeAudio('mp3', mp3Frame(1), 300).map(({ payload }) => payload);
    expect(read(reader, second!)).toEqual([]);
    expect(read(reader, hex('0000000012345678'))).toEqual([]);
    expect(read(reader, head)).toEqual([]);
    expect(read(reader, Buffer.concat([head, mp3Frame(3)]))).toHaveLength(1);
  });

  it('drops the first part of a frame when the second is lost', () => {
    const [first, second] = packetizeAudio('mp3', mp3Frame(1), 300).map(({ payload }) => payload);
    const reader = new MpegAudioDepacketizer();
    reader.push(packet(first!));
    reader.onGap();
    expect(read(reader, second!)).toEqual([]);
  });

  it('survives any payload', () => {
    const reader = new MpegAudioDepacketizer();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(reader.push(packet(Buffer.from(bytes))).every(({ payload }) => payload.length <= 60)).toBe(true);
      }),
      { numRuns: 500, seed: 4 },
    );
  });
});

it('a packet of Opus or G.711 is a frame, an empty packet is none', () => {
  const reader = new PlainDepacketizer();
  reader.onGap();
  expect(read(reader, hex('fc01'), 7)).toEqual([{ bytes: 'fc01', at: 7 }]);
  expect(read(reader, Buffer.alloc(0))).toEqual([]);
});
