import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import type { Packet } from '../../packet.ts';
import { audio, type PacketOptions, video } from '../../testing/media.ts';
import type { Track } from '../../track.ts';
import { writePat, writePmt } from './program-tables.ts';
import { TablePackets } from './table-packets.ts';
import { TsChunks } from './ts-chunks.ts';
import { TsDemuxer } from './ts-demuxer.ts';
import { TsMuxer } from './ts-muxer.ts';
import { tsPacketSize } from './ts-packet.ts';

/** 1920x1080, High, level 4, from x264. */
const track = videoTrackFromConfig(
  'h264',
  Buffer.from('01640028ffe1001a67640028acd94078044fde0220000003002000000643e2c5b2c001000668fba3cb22c0fdf8f800', 'hex'),
);
const frame = (dtsMs: number, options: PacketOptions = {}) => video(dtsMs, { track, ...options });

function muxAll(packets: readonly Packet[]): Buffer {
  const muxer = new TsMuxer({ audioBatchMs: 100 });
  const sink = new TsChunks();
  for (const packet of packets) muxer.write(packet, sink);
  muxer.flush(sink);
  return Buffer.concat(sink.take());
}

function demux(...pieces: readonly Buffer[]) {
  const packets: Packet[] = [];
  const tracks: Track[] = [];
  const demuxer = new TsDemuxer({ onTrack: (track) => tracks.push(track), onPacket: (packet) => packets.push(packet) });
  for (const piece of pieces) demuxer.push(piece);
  demuxer.end();
  return { packets, tracks, stats: demuxer.stats };
}

function show(packets: readonly Packet[], shiftMs = 0): string[] {
  return packets
    .map(({ track, keyframe: isKey, ptsMs, dtsMs, payload }) => {
      const time = `${Math.round(dtsMs - shiftMs)}/${Math.round(ptsMs - shiftMs)}`;
      return `${track.kind} ${time} ${isKey} ${payload.length} ${crc32(payload)}`;
    })
    .sort();
}

const original: Packet[] = [];
for (let index = 0; index < 50; index++) {
  const bytes = 20 + ((index * 97) % 700);
  original.push(frame(index * 40, { keyframe: index % 25 === 0, compositionMs: index % 3 === 0 ? 80 : 0, bytes }));
  original.push({ ...audio((index * 1024) / 48), payload: Buffer.alloc(180 + index, 7) });
}
const stream = muxAll(original);
const muxerOffsetMs = 1000;

describe('TsDemuxer', () => {
  it('returns what was muxed, however it is split', () => {
    const expected = show(original);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        const pieces: Buffer[] = [];
        for (let offset = 0, index = 0; offset < stream.length; index++) {
          const size = sizes[index % sizes.length]!;
          pieces.push(stream.subarray(offset, offset + size));
          offset += size;
        }
        const { packets, tracks } = demux(...pieces);
        expect(show(packets, muxerOffsetMs)).toEqual(expected);
        expect(tracks.map((track) => track.codec).sort()).toEqual(['aac', 'h264']);
      }),
      { numRuns: 30 },
    );
  });

  it('reads the configuration from the stream', () => {
    const { tracks } = demux(stream);
    expect(tracks.find((track) => track.kind === 'video')).toMatchObject({
      width: 1920,
      height: 1080,
      profile: 'High',
      level: '4',
    });
    expect(tracks.find((track) => track.kind === 'audio')).toMatchObject({
      sampleRate: 48_000,
      channels: 2,
      profile: 'LC',
    });
  });

  it('resynchronizes after garbage', () => {
    const cut = 40 * tsPacketSize;
    const garbage = Buffer.alloc(1000, 0x47);
    const { packets, stats } = demux(stream.subarray(0, cut), garbage.fill(0x11, 3), stream.subarray(cut));
    expect(packets.length).toBeGreaterThan(original.length - 12);
    expect(stats.skippedBytes).toBeGreaterThan(0);
  });

  it('drops only the access unit of a lost packet', () => {
    const large = muxAll([0, 40, 80].map((time) => frame(time, { keyframe: time === 0, bytes: 3000 })));
    const lost = 25 * tsPacketSize;
    const { packets, stats } = demux(large.subarray(0, lost), large.subarray(lost + tsPacketSize));
    expect(packets.map(({ dtsMs }) => Math.round(dtsMs - muxerOffsetMs))).toEqual([0, 80]);
    expect(stats.discontinuities).toBe(1);
  });

  it('drops a truncated last access unit, wherever it is truncated', () => {
    const large = muxAll([0, 40].map((time) => frame(time, { keyframe: time === 0, bytes: 3000 })));
    const whole = demux(large).packets.length;
    const counts = new Set<number>();
    for (let end = 0; end < large.length; end += tsPacketSize) {
      const { packets } = demux(large.subarray(0, end));
      counts.add(packets.length);
      expect(packets.map(({ payload }) => payload.length)).toEqual(
        demux(large)
          .packets.slice(0, packets.length)
          .map(({ payload }) => payload.length),
      );
    }
    expect([...counts]).toEqual([0, 1]);
    expect(whole).toBe(2);
  });

  it('drops access units with lost packets after the counter wrapped around', () => {
    const large = muxAll([0, 40, 80].map((time) => frame(time, { keyframe: time === 0, bytes: 6000 })));
    const [lostFrom, lostTo] = [40 * tsPacketSize, 56 * tsPacketSize];
    const packets: Packet[] = [];
    const demuxer = new TsDemuxer({ onTrack: () => {}, onPacket: (packet) => packets.push(packet) });
    demuxer.push(large.subarray(0, lostFrom));
    demuxer.lose(16);
    demuxer.push(large.subarray(lostTo));
    demuxer.end();
    expect(packets.map(({ dtsMs }) => Math.round(dtsMs - muxerOffsetMs))).toEqual([0, 80]);
  });

  it('ignores duplicate packets', () => {
    const pieces: Buffer[] = [];
    for (let offset = 0; offset < stream.length; offset += tsPacketSize) {
      const packet = stream.subarray(offset, offset + tsPacketSize);
      pieces.push(packet, packet);
    }
    expect(show(demux(...pieces).packets, muxerOffsetMs)).toEqual(show(original));
  });

  it('keeps a continuous clock when the timestamps wrap', () => {
    const startMs = 2 ** 33 / 90 - muxerOffsetMs - 100;
    const times = [0, 40, 80, 120, 160, 200];
    const { packets } = demux(muxAll(times.map((time) => frame(startMs + time, { keyframe: time === 0 }))));
    const first = packets[0]!.dtsMs;
    expect(packets.map(({ dtsMs }) => Math.round(dtsMs - first))).toEqual(times);
  });

  it('follows a program that changes its streams', () => {
    const mono = muxAll([audio(0), audio(21)]);
    const { tracks, packets } = demux(stream, mono, stream);
    expect(tracks.length).toBeGreaterThanOrEqual(2);
    expect(packets.length).toBeGreaterThanOrEqual(original.length * 2 - 2);
  });

  it('reports unsupported video and audio, and additional tracks', () => {
    const named: string[] = [];
    const demuxer = new TsDemuxer({
      onTrack: () => {},
      onPacket: () => {},
      onLeftOut: ({ unsupported, extra }) =>
        named.push([...unsupported.map(({ kind, codec }) => `${kind} ${codec}`), ...extra].join()),
    });
    const plain = Buffer.alloc(0);
    const dts = { pid: 258, streamType: 0x82, descriptors: plain };
    const h264 = { pid: 257, streamType: 0x1b, descriptors: plain };
    const mpeg2 = { pid: 259, streamType: 2, descriptors: plain };
    const aac = { pid: 260, streamType: 0x0f, descriptors: plain };
    const dvbDts = { pid: 261, streamType: 6, descriptors: Buffer.from([0x0a, 4, 0, 0, 0, 0, 0x7b, 1, 0]) };
    const s302m = { pid: 262, streamType: 6, descriptors: Buffer.from('\x05\x04BSSD', 'latin1') };
    const subtitles = { pid: 263, streamType: 6, descriptors: Buffer.from([0x59, 1, 0]) };
    const cutOff = { pid: 264, streamType: 6, descriptors: Buffer.from([5, 40, 0x41]) };
    const maps = [
      [h264, dts],
      [h264, dts],
      [h264, aac, dts],
      [h264, aac, { ...aac, pid: 265 }, { ...h264, pid: 266 }, dts],
      [h264, aac],
      [mpeg2, dvbDts],
      [h264, s302m],
      [h264, subtitles, cutOff],
    ];
    const tables = new TablePackets(4096);
    for (const streams of maps) {
      const sink = new TsChunks();
      tables.set(writePat(4096), (version) => writePmt({ pcrPid: 257, streams }, version));
      tables.writeTo(sink);
      demuxer.push(Buffer.concat(sink.take()));
    }
    expect(named).toEqual([
      ...['audio DTS', 'audio', 'audio,video,audio', '', 'video MPEG-2,audio DTS', 'audio SMPTE 302M PCM', ''],
    ]);
  });

  it('survives mutated streams with bounded memory', () => {
    const edits = fc.array(fc.tuple(fc.nat(stream.length - 1), fc.nat(255)), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(edits, fc.nat(stream.length), (changes, end) => {
        const bytes = Buffer.from(stream.subarray(0, end));
        for (const [at, value] of changes) if (at < end) bytes[at] = value;
        const { packets } = demux(bytes);
        expect(packets.length).toBeLessThanOrEqual(original.length * 4);
      }),
      { numRuns: 60 },
    );
  });

  it('survives noise between sync bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 188, maxLength: 188 * 8 }), (noise) => {
        const bytes = Buffer.concat([stream.subarray(0, 3 * tsPacketSize), Buffer.from(noise)]);
        for (let offset = 0; offset < bytes.length; offset += tsPacketSize) bytes[offset] = 0x47;
        expect(() => demux(bytes, stream)).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });

  it('does not collect an endless PES packet', () => {
    const header = stream.subarray(0, 2 * tsPacketSize);
    const endless = Buffer.alloc(tsPacketSize, 0xaa);
    const packetWith = (continuity: number, isStart: boolean): Buffer => {
      endless.writeUIntBE(isStart ? 0x474100 : 0x470100, 0, 3);
      endless[3] = 0x10 | (continuity & 15);
      if (isStart) Buffer.from('000001e00000840000', 'hex').copy(endless, 4);
      return Buffer.from(endless);
    };
    const packets: Packet[] = [];
    const demuxer = new TsDemuxer({ onTrack: () => {}, onPacket: (packet) => packets.push(packet) });
    demuxer.push(header);
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 200_000; count++) demuxer.push(packetWith(count, count === 0));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    demuxer.push(stream);
    demuxer.end();
    expect(packets.length).toBeGreaterThan(original.length - 4);
  });
});
