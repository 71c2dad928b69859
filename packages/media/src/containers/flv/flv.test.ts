// Demuxing and muxing a file made by FFmpeg must give the original bytes. Other bodies are written here, also those of a malicious peer.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Packet } from '../../packet.ts';
import { ProtocolError } from '../../protocol-error.ts';
import type { StreamMetadata } from '../../stream-metadata.ts';
import { splitFlvFile } from '../../testing/flv-file.ts';
import { aacTrack, audio, h264Config, h264Track, keyframe, video } from '../../testing/media.ts';
import type { Track } from '../../track.ts';
import { FlvDemuxer } from './flv-demuxer.ts';
import { tagType, UnsupportedCodecError } from './flv-format.ts';
import { toFlvMessage, toFlvTag, toMetadataMessage, toSequenceHeader, writeFlvHeader } from './flv-muxer.ts';

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

class Sink {
  readonly tracks: Track[] = [];
  readonly packets: Packet[] = [];
  readonly metadata: StreamMetadata[] = [];
  /** Sequence headers and packets as tags, in order. */
  readonly tags: Buffer[] = [];

  setTrack(track: Track): void {
    this.tracks.push(track);
    const header = toSequenceHeader(track, 0);
    if (header) this.tags.push(toFlvTag(header));
  }

  push(packet: Packet): void {
    this.packets.push(packet);
    this.tags.push(toFlvTag(toFlvMessage(packet)));
  }

  setMetadata(metadata: StreamMetadata): void {
    this.metadata.push(metadata);
  }
}

function demux(...messages: [type: number, hex: string, timestampMs?: number][]): Sink {
  const sink = new Sink();
  const demuxer = new FlvDemuxer(sink);
  for (const [type, hex, timestampMs = 0] of messages)
    demuxer.read(type, Buffer.from(hex.replaceAll(' ', ''), 'hex'), timestampMs);
  return sink;
}

const { video: v, audio: a, script } = tagType;
const hex = (text: string) => Buffer.from(text).toString('hex');
const avcHeader = `1700000000${h264Config.toString('hex')}`;

describe('FLV written by FFmpeg', () => {
  it.each(['h264-aac.flv', 'mp3-mono.flv'])('%s is unchanged byte for byte after demuxing and muxing', (name) => {
    const sink = new Sink();
    const demuxer = new FlvDemuxer(sink);
    const isEndOfSequence = (body: Buffer) => body[0] === 0x17 && body[1] === 2;
    const tags = splitFlvFile(fixture(name));
    for (const { type, body, timestampMs } of tags) demuxer.read(type, body, timestampMs);
    const media = tags.filter(({ type, body }) => type !== script && !isEndOfSequence(body));
    expect(sink.tags).toEqual(media.map(({ bytes }) => bytes));
    expect(demuxer.skippedFrames).toBe(0);
  });

  it('gives the same tracks, times and metadata as ffprobe', () => {
    const sink = new Sink();
    const demuxer = new FlvDemuxer(sink);
    for (const { type, body, timestampMs } of splitFlvFile(fixture('h264-aac.flv')))
      demuxer.read(type, body, timestampMs);
    expect(sink.tracks).toMatchObject([
      { codec: 'h264', width: 64, height: 64, profile: 'High' },
      { codec: 'aac', sampleRate: 48_000, channels: 2 },
    ]);
    const frames = sink.packets.filter(({ track }) => track.kind === 'video');
    expect(frames.slice(0, 4).map(({ ptsMs, dtsMs }) => [ptsMs, dtsMs])).toEqual([
      [80, 0],
      [200, 40],
      [120, 80],
      [160, 120],
    ]);
    expect(frames.filter(({ keyframe: isKey }) => isKey).map(({ ptsMs }) => ptsMs)).toEqual([80, 480, 880]);
    expect(sink.metadata[0]).toMatchObject({ width: 64, height: 64, framerate: 25, videocodecid: 7, stereo: true });
  });

  it('has the file header that FFmpeg writes', () => {
    expect(writeFlvHeader({ hasVideo: true, hasAudio: true })).toEqual(fixture('h264-aac.flv').subarray(0, 13));
    expect(writeFlvHeader({ hasVideo: false, hasAudio: true })).toEqual(fixture('mp3-mono.flv').subarray(0, 13));
    expect(writeFlvHeader({ hasVideo: true, hasAudio: false })[4]).toBe(1);
  });

  it('has metadata that is unchanged after writing and parsing', () => {
    const sink = new Sink();
    const demuxer = new FlvDemuxer(sink);
    const tag = splitFlvFile(fixture('h264-aac.flv'))[0]!;
    demuxer.readScript(tag.body);
    demuxer.readScript(toMetadataMessage(sink.metadata[0]!).head);
    expect(sink.metadata[1]).toEqual(sink.metadata[0]);
  });
});

describe('legacy bodies', () => {
  it('reads a negative composition time', () => {
    const { packets } = demux([v, avcHeader], [v, '2701ffffd8 00000001 41', 100]);
    expect(packets[0]).toMatchObject({ dtsMs: 100, ptsMs: 60, keyframe: false });
  });

  it('reads HEVC under codec id 12 and writes it as Enhanced RTMP', () => {
    const { tracks, packets, tags } = demux([v, '1c00000000 0101600000'], [v, '1c01000028 00000001 26', 40]);
    expect(tracks[0]).toMatchObject({ codec: 'h265' });
    expect(packets[0]).toMatchObject({ ptsMs: 80, keyframe: true });
    expect(tags[0]!.subarray(11, -4).toString('hex')).toBe(`90${hex('hvc1')}0101600000`);
    expect(tags[1]!.subarray(11, -4).toString('hex')).toBe(`91${hex('hvc1')}0000280000000126`);
  });

  it('announces a configuration once, however often it is received', () => {
    const { tracks } = demux([v, avcHeader], [a, 'af001190'], [v, avcHeader], [a, 'af001190']);
    expect(tracks.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
  });

  it('drops frames before their configuration, and empty ones', () => {
    const sink = new Sink();
    const demuxer = new FlvDemuxer(sink);
    demuxer.readVideo(Buffer.from('17010000000000000165', 'hex'), 0);
    demuxer.readAudio(Buffer.from('af0121', 'hex'), 0);
    demuxer.readVideo(Buffer.from(avcHeader, 'hex'), 0);
    demuxer.readVideo(Buffer.from('1701000000', 'hex'), 0);
    demuxer.readAudio(Buffer.alloc(0), 0);
    expect(sink.packets).toEqual([]);
    expect(demuxer.skippedFrames).toBe(3);
  });

  it('ignores end of sequence and command frames', () => {
    expect(demux([v, avcHeader], [v, '1702000000'], [v, '5700']).packets).toEqual([]);
  });

  it('converts short NAL unit lengths to four bytes', () => {
    const config = Buffer.from(h264Config);
    config[4] = 0xfd;
    const { tracks, packets } = demux([v, `1700000000${config.toString('hex')}`], [v, '1701000000 0002 6588 0001 06']);
    expect(tracks[0]?.config).toEqual(h264Config);
    expect(packets[0]?.payload.toString('hex')).toBe('0000000265880000000106');
  });

  it('reads G.711 with the properties in the flags', () => {
    const { tracks, packets } = demux([a, '72d5d5'], [a, '82ffff']);
    expect(tracks).toMatchObject([
      { codec: 'pcma', sampleRate: 8000, channels: 1 },
      { codec: 'pcmu', sampleRate: 8000, channels: 1 },
    ]);
    expect(packets).toHaveLength(2);
  });

  it.each([
    [v, '2200'],
    [a, 'b200'],
    [v, `80${hex('vvc1')}00`],
    [a, `90${hex('Xyz1')}00`],
  ])('refuses an unsupported codec: type %i, %s', (type, body) => {
    expect(() => demux([type, body])).toThrow(UnsupportedCodecError);
  });
});

describe('Enhanced RTMP bodies', () => {
  it.each([
    ['avc1', 'h264', h264Config.toString('hex')],
    ['hvc1', 'h265', '0101600000'],
    ['av01', 'av1', '81000c00'],
    ['vp09', 'vp9', '0100000000'],
  ])('reads %s as %s', (fourCc, codec, config) => {
    const composition = fourCc === 'avc1' || fourCc === 'hvc1' ? '000021' : '';
    const { tracks, packets } = demux([v, `90${hex(fourCc)}${config}`], [v, `91${hex(fourCc)}${composition}aabb`, 100]);
    expect(tracks[0]).toMatchObject({ codec, config: Buffer.from(config, 'hex') });
    expect(packets[0]).toMatchObject({ keyframe: true, dtsMs: 100, ptsMs: composition ? 133 : 100 });
    expect(packets[0]?.payload.toString('hex')).toBe('aabb');
  });

  it.each([
    ['Opus', 'opus', `${hex('OpusHead')}0102380180bb0000000000`],
    ['mp4a', 'aac', '1190'],
    ['fLaC', 'flac', hex('fLaC')],
    ['.mp3', 'mp3', ''],
    ['ac-3', 'ac3', ''],
    ['ec-3', 'eac3', ''],
  ])('reads %s as %s', (fourCc, codec, config) => {
    const start: [number, string][] = config ? [[a, `90${hex(fourCc)}${config}`]] : [];
    const { tracks, packets } = demux(...start, [a, `91${hex(fourCc)}c0ffee`, 20]);
    expect(tracks).toMatchObject([{ codec }]);
    expect(packets[0]?.payload.toString('hex')).toBe('c0ffee');
  });

  it('reads back what it writes, for codecs that exist in this form only', () => {
    const bodies: [number, string][] = [
      [v, `90${hex('av01')}81000c00`],
      [v, `91${hex('av01')}1200`],
      [v, `a1${hex('av01')}3200`],
      [v, `90${hex('hvc1')}0101600000`],
      [v, `93${hex('hvc1')}0000000126`],
      [a, `90${hex('Opus')}${hex('OpusHead')}0102380180bb0000000000`],
      [a, `91${hex('Opus')}fcfffe`],
    ];
    expect(demux(...bodies).tags.map((tag) => tag.subarray(11, -4).toString('hex'))).toEqual(
      bodies.map(([, body]) => body),
    );
  });

  it('skips the nanosecond offset of ModEx, short and long', () => {
    const long = '00'.repeat(300);
    const { packets } = demux(
      [v, `90${hex('hvc1')}0101`],
      [v, `97 02 0a1b2c 03 ${hex('hvc1')}aa`, 5],
      [v, `97 ff 012b ${long} 03 ${hex('hvc1')}bb`, 6],
    );
    expect(packets.map(({ payload }) => payload.toString('hex'))).toEqual(['aa', 'bb']);
  });

  it('reads track 0 of multitrack bodies in every form, and counts the others', () => {
    const sink = new Sink();
    const demuxer = new FlvDemuxer(sink);
    for (const body of [
      `96 00 ${hex('av01')} 00 8100`,
      `96 01 ${hex('av01')} 00 aa`,
      `96 11 ${hex('av01')} 01 000001 ee 00 000002 bbcc`,
      `96 21 ${hex('hvc1')} 02 000001 ee ${hex('av01')} 00 000001 dd`,
      `96 01 ${hex('av01')} 01 ee`,
    ])
      demuxer.read(v, Buffer.from(body.replaceAll(' ', ''), 'hex'), 0);
    expect(sink.packets.map(({ payload }) => payload.toString('hex'))).toEqual(['aa', 'bbcc', 'dd']);
    expect([demuxer.extraTracks('video'), demuxer.extraTracks('audio')]).toEqual([2, 0]);
  });

  it('ignores metadata and end of sequence', () => {
    expect(
      demux([v, `94 02`], [v, `92${hex('hvc1')}`], [a, `92${hex('Opus')}`], [a, `94${hex('Opus')}0102`]).packets,
    ).toEqual([]);
  });
});

describe('FLV timestamps', () => {
  it('wrap at 32 bits, with the high byte last', () => {
    const tag = toFlvTag(toFlvMessage(video(2 ** 32 + 0x01020304)));
    expect(tag.subarray(4, 8).toString('hex')).toBe('02030401');
  });

  it('round to whole milliseconds without losing the composition time', () => {
    const tag = toFlvTag(toFlvMessage({ ...keyframe(33.4), ptsMs: 66.6 }));
    expect([tag.readUIntBE(4, 3), tag.readIntBE(13, 3)]).toEqual([33, 34]);
  });
});

describe('FLV from a malicious peer', () => {
  const samples: [number, Buffer][] = [
    [v, Buffer.from(avcHeader, 'hex')],
    [v, toFlvMessage(keyframe(0)).head],
    [a, toSequenceHeader(aacTrack, 0)!.head],
    [a, toFlvMessage(audio(0)).head],
    [v, toSequenceHeader(h264Track, 0)!.head],
    [v, Buffer.from(`9611${hex('av01')}01000001ee00000002bbcc`, 'hex')],
    [v, Buffer.from(`97020a1b2c03${hex('hvc1')}aa`, 'hex')],
    [a, Buffer.from(`9501${hex('Opus')}00c0`, 'hex')],
    [script, toMetadataMessage({ width: 64, list: [1, 'two', null], nested: { a: true } }).head],
  ];

  function feed(type: number, body: Buffer): void {
    const demuxer = new FlvDemuxer(new Sink());
    demuxer.readVideo(Buffer.from(avcHeader, 'hex'), 0);
    try {
      demuxer.read(type, body, 0);
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolError);
    }
  }

  it('throws only ProtocolError for bodies truncated at every length', () => {
    for (const [type, body] of samples)
      for (let length = 0; length <= body.length; length++) feed(type, body.subarray(0, length));
  });

  it('throws only ProtocolError for bodies with changed bytes', () => {
    const change = fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...samples), change, ([type, body], changes) => {
        const bad = Buffer.from(body);
        for (const [at, value] of changes) bad[at % bad.length] = value;
        feed(type, bad);
      }),
      { seed: 20261121, numRuns: 2000 },
    );
  });
});
