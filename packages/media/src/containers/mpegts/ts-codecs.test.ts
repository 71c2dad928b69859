// Opus, MP3 and HEVC in MPEG-TS: written by FFmpeg, muxed and demuxed by this package, and truncated.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Packet } from '../../packet.ts';
import type { Track } from '../../track.ts';
import { createAudioFraming } from './audio-framing.ts';
import { OpusReceiver } from './opus-receiver.ts';
import { TsChunks } from './ts-chunks.ts';
import { TsDemuxer } from './ts-demuxer.ts';
import { TsMuxer } from './ts-muxer.ts';
import { tsPacketSize } from './ts-packet.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name));

function demux(bytes: Buffer) {
  const packets: Packet[] = [];
  const tracks: Track[] = [];
  const demuxer = new TsDemuxer({ onTrack: (track) => tracks.push(track), onPacket: (packet) => packets.push(packet) });
  demuxer.push(bytes);
  demuxer.end();
  return { packets, tracks };
}

function mux(packets: readonly Packet[]): Buffer {
  const muxer = new TsMuxer({ audioBatchMs: 100 });
  const sink = new TsChunks();
  for (const packet of packets) muxer.write(packet, sink);
  muxer.flush(sink);
  return Buffer.concat(sink.take());
}

const show = ({ ptsMs, payload }: Packet) =>
  `${Math.round(ptsMs)} ${payload.length} ${crc32(payload).toString(16).padStart(8, '0')}`;

/** Time, size and CRC-32 of each frame, from ffprobe. */
const opusFrames = [
  '0 89 dfc0b5ba',
  '20 62 cc6817eb',
  '40 62 172cab62',
  '60 64 b4ba43ba',
  '80 66 45440efa',
  '100 67 a2016785',
  '120 69 a974f8da',
  '140 65 788f7831',
  '160 64 d4dd03f8',
  '180 54 9a3ee62c',
  '200 37 7cdeabf1',
];
const mp3Frames = [
  '0 52 2c5e9353',
  '26 53 ce84800e',
  '52 52 4657ddc1',
  '78 52 70fc4047',
  '104 52 53d3caf2',
  '131 53 98f8f8cc',
  '157 52 64858ce5',
  '183 52 135c5e21',
  '209 52 a3f277bc',
  '235 53 df6ee05a',
];

describe.each([
  ['Opus, whose first frame has trims in its header', 'opus.mpegts', opusFrames, { codec: 'opus', channels: 1 }],
  ['MP3 of a low rate', 'mp3.mpegts', mp3Frames, { codec: 'mp3', channels: 1, sampleRate: 22_050 }],
])('%s', (_, name, frames, track) => {
  const bytes = fixture(name);

  it('is read as FFmpeg wrote it', () => {
    const { packets, tracks } = demux(bytes);
    expect(packets.map(show)).toEqual(frames);
    expect(tracks).toEqual([expect.objectContaining(track)]);
    expect(packets.every(({ keyframe, ptsMs, dtsMs }) => keyframe && ptsMs === dtsMs)).toBe(true);
  });

  it('is unchanged after muxing and demuxing, except for one second of offset', () => {
    const { packets, tracks } = demux(bytes);
    const again = demux(mux(packets));
    expect(again.packets.map((packet) => show({ ...packet, ptsMs: packet.ptsMs - 1000 }))).toEqual(frames);
    expect(again.tracks).toEqual(tracks);
  });

  it('returns whole frames of it, wherever it is truncated', () => {
    for (let size = 0; size <= bytes.length; size += size % tsPacketSize < 180 ? 20 : 1) {
      const got = demux(bytes.subarray(0, size)).packets.map(show);
      expect(got).toEqual(frames.slice(0, got.length));
    }
  });
});

describe('HEVC', () => {
  const bytes = fixture('hevc.mpegts');

  it('is read as FFmpeg wrote it: parameter sets become the configuration', () => {
    const { packets, tracks } = demux(bytes);
    expect(tracks).toEqual([
      expect.objectContaining({ codec: 'h265', width: 64, height: 64, profile: 'Main', level: '1' }),
    ]);
    const first = packets[0]!.dtsMs;
    expect(
      packets.map(({ dtsMs, ptsMs, keyframe }) => [Math.round(dtsMs - first), Math.round(ptsMs - first), keyframe]),
    ).toEqual([
      [0, 80, true],
      [40, 160, false],
      [80, 120, false],
      [120, 240, false],
      [160, 200, false],
    ]);
  });

  it('is unchanged after muxing and demuxing, with delimiter and parameter sets before the keyframe', () => {
    const { packets, tracks } = demux(bytes);
    const written = mux(packets);
    const again = demux(written);
    expect(again.packets.map(({ payload, keyframe }) => [payload.toString('hex'), keyframe])).toEqual(
      packets.map(({ payload, keyframe }) => [payload.toString('hex'), keyframe]),
    );
    expect(again.tracks).toEqual(tracks);
    // Access unit delimiter (type 35), VPS, SPS: the start of the keyframe's PES payload.
    const text = written.toString('hex');
    expect(text).toContain('00000001460150' + '000000014001');
  });
});

describe('the control header of Opus', () => {
  const toc = Buffer.from([0xfc]);
  const frame = (size: number) => Buffer.concat([toc, Buffer.alloc(size - 1, size)]);
  const framing = createAudioFraming({
    kind: 'audio',
    codec: 'opus',
    config: Buffer.alloc(0),
    sampleRate: 48_000,
    channels: 2,
    profile: '',
  })!;
  const withHeader = (payload: Buffer) => {
    const prefix = Buffer.alloc(framing.prefixSize(payload.length));
    framing.writePrefix(prefix, payload.length);
    return Buffer.concat([prefix, payload]);
  };
  const read = (data: Buffer) => {
    const packets: Packet[] = [];
    new OpusReceiver(2, { onTrack: () => {}, onPacket: (packet) => packets.push(packet) }).receive({ ptsMs: 0, data });
    return packets.map(({ payload, ptsMs }) => `${ptsMs} ${payload.length}`);
  };

  it.each([
    [1, '7fe001'],
    [254, '7fe0fe'],
    [255, '7fe0ff00'],
    [600, '7fe0ffff5a'],
  ])('for %i bytes is %s, in both directions', (size, hex) => {
    const written = withHeader(frame(size));
    expect(written.subarray(0, hex.length / 2).toString('hex')).toBe(hex);
    expect(read(written)).toEqual([`0 ${size}`]);
  });

  it('accepts no frame longer than the remaining bytes', () => {
    expect(framing.prefixSize(200_000)).toBe(-1);
  });

  it('may contain trims at both ends and an extension, which are skipped', () => {
    const start = Buffer.from('7ff0020138', 'hex');
    const end = Buffer.from('7fe8020010', 'hex');
    const all = Buffer.from('7ffc02013800100299aa', 'hex');
    const bytes = Buffer.concat([start, frame(2), end, frame(2), all, frame(2)]);
    expect(read(bytes)).toEqual(['0 2', '20 2', '40 2']);
  });

  it('that is truncated or invalid ends the PES packet; earlier frames are kept', () => {
    const bytes = Buffer.concat([withHeader(frame(300)), Buffer.from('7ffc03013800100299aa', 'hex'), frame(3)]);
    for (let size = 0; size < bytes.length; size++) {
      expect(read(bytes.subarray(0, size))).toEqual(size < 304 ? [] : ['0 300']);
    }
    expect(read(bytes)).toHaveLength(2);
    expect(read(Buffer.concat([withHeader(frame(3)), Buffer.from('3fe003'), frame(3)]))).toEqual(['0 3']);
  });
});
