import { describe, expect, it } from 'vitest';
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import { aacTrack, audio, type PacketOptions, video } from '../../testing/media.ts';
import { mpegCrc32 } from './crc32.ts';
import { TsChunks } from './ts-chunks.ts';
import { TsMuxer } from './ts-muxer.ts';
import { tsPacketSize } from './ts-packet.ts';

/** 1920x1080, High, level 4, from x264. */
const h264Track = videoTrackFromConfig(
  'h264',
  Buffer.from('01640028ffe1001a67640028acd94078044fde0220000003002000000643e2c5b2c001000668fba3cb22c0fdf8f800', 'hex'),
);
const keyframe = (dtsMs: number, options: PacketOptions = {}) =>
  video(dtsMs, { track: h264Track, keyframe: true, ...options });

function mux(use: (muxer: TsMuxer, sink: TsChunks) => void, audioBatchMs = 0): Buffer[] {
  const muxer = new TsMuxer({ audioBatchMs });
  const sink = new TsChunks(4);
  use(muxer, sink);
  const bytes = Buffer.concat(sink.take());
  expect(bytes.length % tsPacketSize).toBe(0);
  return Array.from({ length: bytes.length / tsPacketSize }, (_, index) =>
    bytes.subarray(index * tsPacketSize, (index + 1) * tsPacketSize),
  );
}

const pidOf = (packet: Buffer) => packet.readUInt16BE(1) & 0x1fff;
const hex = (packet: Buffer, size = tsPacketSize) => packet.subarray(0, size).toString('hex');

describe('program tables', () => {
  it('are those that every player expects, byte for byte', () => {
    const packets = mux((muxer, sink) => {
      muxer.setTrack(h264Track, sink);
      muxer.setTrack(aacTrack, sink);
      muxer.writeTables(sink);
    });
    expect(packets).toHaveLength(2);
    // These are the bytes that FFmpeg writes for its first program.
    expect(hex(packets[0]!, 21)).toBe('47400010' + '00' + '00b00d0001c100000001f000' + '2ab104b2');
    expect(hex(packets[1]!, 5)).toBe('4750001000');
    const section = packets[1]!.subarray(5, 5 + 3 + 0x17);
    expect(section.subarray(0, -4).toString('hex')).toBe('02b0170001c10000' + 'e100f000' + '1be100f000' + '0fe101f000');
    expect(mpegCrc32(section)).toBe(0);
    expect(packets[1]!.subarray(5 + section.length).every((byte) => byte === 0xff)).toBe(true);
  });

  it('are repeated with a new version when a track of another kind appears', () => {
    const packets = mux((muxer, sink) => {
      muxer.write(keyframe(0), sink);
      muxer.write(audio(0), sink);
    });
    const tables = packets.filter((packet) => pidOf(packet) === 0x1000);
    expect(tables.map((packet) => (packet[10]! >> 1) & 31)).toEqual([0, 1]);
  });

  it('register Opus and HEVC', () => {
    const hevc = videoTrackFromConfig('h265', Buffer.alloc(0));
    const opus = audioTrackFromConfig('opus', Buffer.from('4f707573486561640102380180bb0000000000', 'hex'));
    const [, table] = mux((muxer, sink) => {
      expect(muxer.setTrack(hevc, sink)).toBe(true);
      expect(muxer.setTrack(opus, sink)).toBe(true);
      muxer.writeTables(sink);
    });
    expect(hex(table!)).toContain('24e100f006' + '050448455643');
    expect(hex(table!)).toContain('06e101f00a' + '05044f707573' + '7f028002');
  });
});

describe('PES packets', () => {
  it('contain delimiter, parameter sets and frame, with both timestamps and the clock reference', () => {
    const packets = mux((muxer, sink) => muxer.write(keyframe(1000, { compositionMs: 80 }), sink));
    const packet = packets[2]!;
    expect(pidOf(packet)).toBe(0x100);
    expect(packet[3]).toBe(0x30);
    // Adaptation field with clock (decode time + 1000 - 300 ms) and random access flag; stuffing fills the packet.
    expect(hex(packet.subarray(5, 12))).toBe('50' + '00012ad47e00');
    const pes = packet.subarray(5 + packet[4]!);
    expect(hex(pes, 9)).toBe(`000001e0${(pes.length - 6).toString(16).padStart(4, '0')}84c00a`);
    // PTS 2080 ms and DTS 2000 ms in 90 kHz ticks.
    expect(hex(pes.subarray(9), 10)).toBe('31000bb681' + '11000b7e41');
    const es = hex(pes.subarray(19));
    expect(es.startsWith('0000000109f0' + '00000001' + '67640028')).toBe(true);
    expect(es).toContain('00000001' + '68fba3cb22c0' + '00000001' + '65');
  });

  it('of audio contain several frames, but never frames with a gap between them', () => {
    const starts = (times: number[]) =>
      mux((muxer, sink) => {
        for (const time of times) muxer.write(audio(time), sink);
        muxer.flush(sink);
      }, 100).filter((packet) => pidOf(packet) === 0x101 && (packet[1]! & 0x40) !== 0).length;
    expect(starts([0, 21, 43, 64])).toBe(1);
    expect(starts([0, 21, 85, 107])).toBe(2);
    expect(starts([0, 21, 43, 64, 85, 107, 128])).toBe(2);
  });

  it('have gapless continuity counters per stream', () => {
    const packets = mux((muxer, sink) => {
      for (let time = 0; time < 2000; time += 40) {
        muxer.write(video(time, { track: h264Track, keyframe: time % 400 === 0, bytes: 1 + time }), sink);
        muxer.write(audio(time), sink);
        if (time % 400 === 0) muxer.writeTables(sink);
      }
      muxer.flush(sink);
    });
    for (const pid of [0, 0x1000, 0x100, 0x101]) {
      const counters = packets.filter((packet) => pidOf(packet) === pid).map((packet) => packet[3]! & 15);
      expect(counters).toEqual(counters.map((_, index) => index % 16));
    }
  });

  it('do not duplicate in-band parameter sets, and start with the delimiter', () => {
    const units = ['09f0', '6764001facd9', '68efbc', '65aabb'].map((unit) => Buffer.from(unit, 'hex'));
    const payload = Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, unit.length]), unit]));
    const packet = mux((muxer, sink) => muxer.write({ ...keyframe(0), payload }, sink))[2]!;
    const es = hex(packet).slice(hex(packet).indexOf('0000000109f0'));
    expect(es).toBe('0000000109f0' + '000000016764001facd9' + '0000000168efbc' + '0000000165aabb');
  });

  it('wrap their timestamps at 33 bits', () => {
    const wrapMs = 2 ** 33 / 90;
    const packets = mux((muxer, sink) => muxer.write(keyframe(wrapMs), sink));
    const pes = packets[2]!.subarray(5 + packets[2]![4]!);
    // 1000 ms.
    expect(hex(pes.subarray(9), 5)).toBe('210005bf21');
  });

  it.each([
    ['an access unit without a whole NAL unit', Buffer.from([0, 0, 0, 9, 1])],
    ['an empty access unit', Buffer.alloc(0)],
  ])('are not created from %s', (_, payload) => {
    const packets = mux((muxer, sink) => muxer.write({ ...keyframe(0), payload }, sink));
    expect(packets.filter((packet) => pidOf(packet) === 0x100)).toHaveLength(0);
  });

  it('are not created for codecs that MPEG-TS cannot carry', () => {
    const packets = mux((muxer, sink) => {
      expect(muxer.setTrack(videoTrackFromConfig('av1', Buffer.alloc(0)), sink)).toBe(false);
      muxer.write(keyframe(0, { track: videoTrackFromConfig('vp9', Buffer.alloc(0)) }), sink);
      muxer.write(audio(0, { track: audioTrackFromConfig('flac', Buffer.alloc(0)) }), sink);
      muxer.flush(sink);
    });
    expect(packets).toHaveLength(0);
  });
});
