import { describe, expect, it } from 'vitest';
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { opusSampleRate, writeOpusConfig } from '../../codecs/opus.ts';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import type { AudioPacket, Packet, VideoPacket } from '../../packet.ts';
import { aacTrack, audio, h264Track, keyframe, video } from '../../testing/media.ts';
import { findBoxes, readBoxes } from '../../testing/mp4-boxes.ts';
import type { AudioTrack } from '../../track.ts';
import { Fmp4Muxer } from './fmp4-muxer.ts';

interface ReadSample {
  readonly duration: number;
  readonly isSync: boolean;
  readonly offset: number;
  readonly bytes: string;
}

/** Reads the samples of each track as a player does (ISO/IEC 14496-12 §8.8). */
function readFragment(parts: readonly Buffer[]) {
  const fragment = Buffer.concat(parts);
  expect(readBoxes(fragment).map(({ type }) => type)).toEqual(['moof', 'mdat']);
  const tracks = findBoxes(fragment, 'moof/traf').map((traf) => {
    const [head] = findBoxes(traf, 'tfhd');
    const [time] = findBoxes(traf, 'tfdt');
    const [run] = findBoxes(traf, 'trun');
    let dataAt = run!.readUInt32BE(8);
    const samples = Array.from({ length: run!.readUInt32BE(4) }, (_, index): ReadSample => {
      const at = 12 + index * 16;
      const size = run!.readUInt32BE(at + 4);
      const bytes = fragment.toString('hex', dataAt, dataAt + size);
      dataAt += size;
      const isSync = (run!.readUInt32BE(at + 8) & 0x1_0000) === 0;
      return { duration: run!.readUInt32BE(at), isSync, offset: run!.readInt32BE(at + 12), bytes };
    });
    return { id: head!.readUInt32BE(4), baseTime: Number(time!.readBigUInt64BE(4)), samples };
  });
  return { sequence: findBoxes(fragment, 'moof/mfhd')[0]!.readUInt32BE(4), tracks };
}

function muxed(packets: readonly Packet[], endMs: number) {
  const muxer = new Fmp4Muxer([...new Set(packets.map(({ track }) => track))]);
  for (const packet of packets) expect(muxer.push(packet)).toBe(true);
  return readFragment(muxer.takeFragment(endMs));
}

describe('the initialization segment', () => {
  const { initSegment } = new Fmp4Muxer([h264Track, aacTrack]);

  it('contains its brands, and each track with number, timescale and handler', () => {
    expect(readBoxes(initSegment).map(({ type }) => type)).toEqual(['ftyp', 'moov']);
    expect(findBoxes(initSegment, 'ftyp')[0]!.toString('latin1')).toBe('iso6\0\0\0\x01iso6cmfcmp41');
    expect(findBoxes(initSegment, 'moov/trak/tkhd').map((head) => head.readUInt32BE(12))).toEqual([1, 2]);
    expect(findBoxes(initSegment, 'moov/trak/mdia/mdhd').map((head) => head.readUInt32BE(12))).toEqual([
      90_000, 48_000,
    ]);
    const handlers = findBoxes(initSegment, 'moov/trak/mdia/hdlr');
    expect(handlers.map((handler) => handler.toString('latin1', 8, 12))).toEqual(['vide', 'soun']);
    expect(findBoxes(initSegment, 'moov/mvex/trex').map((extends_) => extends_.readUInt32BE(4))).toEqual([1, 2]);
    expect(findBoxes(initSegment, 'moov/mvhd')[0]!.readUInt32BE(96)).toBe(3);
  });

  it('contains the video size in the track header, and the audio volume', () => {
    const [videoHeader, audioHeader] = findBoxes(initSegment, 'moov/trak/tkhd');
    expect([videoHeader!.readUInt32BE(76) >> 16, videoHeader!.readUInt32BE(80) >> 16]).toEqual([1920, 1080]);
    expect([videoHeader!.readUInt16BE(36), audioHeader!.readUInt16BE(36)]).toEqual([0, 0x0100]);
  });

  it('omits tracks that this muxer does not support', () => {
    const vp8 = videoTrackFromConfig('vp8', Buffer.alloc(0));
    expect(Fmp4Muxer.canCarry(vp8)).toBe(false);
    const muxer = new Fmp4Muxer([vp8, aacTrack]);
    expect(findBoxes(muxer.initSegment, 'moov/trak')).toHaveLength(1);
    expect(muxer.push({ ...keyframe(0), track: vp8 } as VideoPacket)).toBe(false);
    expect(muxer.push(audio(0))).toBe(true);
  });
});

describe('a fragment', () => {
  it('contains the packets of each track with their times, order and bytes', () => {
    const frames = [keyframe(1000, { compositionMs: 80, bytes: 9 }), video(1040, { compositionMs: -40 }), video(1080)];
    const { tracks } = muxed([...frames, audio(1000), audio(1021.3)], 1120);
    const hex = frames.map(({ payload }) => payload.toString('hex'));
    expect(tracks).toEqual([
      {
        id: 1,
        baseTime: 90_000,
        samples: [
          { duration: 3600, isSync: true, offset: 7200, bytes: hex[0] },
          { duration: 3600, isSync: false, offset: -3600, bytes: hex[1] },
          { duration: 3600, isSync: false, offset: 0, bytes: hex[2] },
        ],
      },
      {
        id: 2,
        baseTime: 48_000,
        samples: [0, 1].map(() => ({ duration: 1024, isSync: true, offset: 0, bytes: '211004' })),
      },
    ]);
  });

  it('is numbered, and contains only the packets since the previous one', () => {
    const muxer = new Fmp4Muxer([h264Track, aacTrack]);
    muxer.push(keyframe(0));
    expect(readFragment(muxer.takeFragment(40))).toMatchObject({ sequence: 1, tracks: [{ id: 1, baseTime: 0 }] });
    muxer.push(audio(40));
    expect(readFragment(muxer.takeFragment(60))).toMatchObject({ sequence: 2, tracks: [{ id: 2, baseTime: 1920 }] });
    expect(readFragment(muxer.takeFragment(60))).toEqual({ sequence: 3, tracks: [] });
  });

  it('supports decode times beyond 32 bits', () => {
    const twoDaysMs = 48 * 3_600_000;
    expect(muxed([keyframe(twoDaysMs)], twoDaysMs + 40).tracks[0]).toMatchObject({ baseTime: twoDaysMs * 90 });
  });

  it('gives the last frame a duration of at least one tick, and never decreases times', () => {
    const { tracks } = muxed([keyframe(100), video(60), video(140)], 120);
    expect(tracks[0]!.samples.map(({ duration }) => duration)).toEqual([0, 7200, 1]);
  });

  it('repeats the parameter sets before each keyframe if this is enabled', () => {
    const frames = [keyframe(0), video(40), keyframe(80)];
    const muxer = new Fmp4Muxer([h264Track], { repeatsParameterSets: true });
    for (const frame of frames) muxer.push(frame);
    const sets = ['0000001a67640028acd94078044fde0220000003002000000643e2c5b2c0', '0000000668fba3cb22c0'].join('');
    expect(readFragment(muxer.takeFragment(120)).tracks[0]!.samples.map(({ bytes }) => bytes)).toEqual([
      sets + frames[0]!.payload.toString('hex'),
      frames[1]!.payload.toString('hex'),
      sets + frames[2]!.payload.toString('hex'),
    ]);
  });

  it('contains no temporal delimiter of AV1', () => {
    const track = videoTrackFromConfig('av1', Buffer.from('81040c000a0b00000024c6a7df36be4010', 'hex'));
    const withDelimiter = { ...keyframe(0), track, payload: Buffer.from('12003204aabbccdd', 'hex') };
    const without = { ...keyframe(40), track, payload: Buffer.from('3204aabbccdd', 'hex') };
    expect(muxed([withDelimiter, without], 80).tracks[0]!.samples.map(({ bytes }) => bytes)).toEqual([
      '3204aabbccdd',
      '3204aabbccdd',
    ]);
  });
});

describe('audio timestamps', () => {
  const packetOf = (track: AudioTrack, dtsMs: number, payload: string): AudioPacket => ({
    ...audio(dtsMs, { track }),
    payload: Buffer.from(payload, 'hex'),
  });

  it('count samples where packet times were rounded', () => {
    const track = audioTrackFromConfig('aac', Buffer.from('1210', 'hex'));
    const times = Array.from({ length: 50 }, (_, index) => Math.round((index * 1024 * 1000) / 44_100));
    const { samples } = muxed(
      times.map((timeMs) => audio(timeMs, { track })),
      0,
    ).tracks[0]!;
    expect(new Set(samples.map(({ duration }) => duration))).toEqual(new Set([1024]));
  });

  it('follow a jump forward, and never repeat a time after a jump back', () => {
    const durations = (shiftMs: number) =>
      muxed([audio(0), audio(64 / 3 + shiftMs), audio(128 / 3 + shiftMs)], 0).tracks[0]!.samples.map(
        ({ duration }) => duration,
      );
    expect(durations(500)).toEqual([1024 + 24_000, 1024, 1024]);
    expect(durations(-500)).toEqual([1024, 1024, 1024]);
  });

  it.each([
    [
      'HE-AAC, whose frames have two core frames of samples',
      audioTrackFromConfig('aac', Buffer.from('2b118800', 'hex')),
      '21',
      48_000,
      2048,
    ],
    ['AAC with an unreadable configuration', { ...aacTrack, config: Buffer.from('0000', 'hex') }, '21', 48_000, 1024],
    ['Opus packets of 20 ms', audioTrackFromConfig('opus', writeOpusConfig(2)), 'fc', opusSampleRate, 960],
    [
      'Opus packets of two frames of 10 ms',
      audioTrackFromConfig('opus', writeOpusConfig(2)),
      'f1',
      opusSampleRate,
      960,
    ],
  ])('count samples for %s', (_name, track, payload, timescale, samplesOfPacket) => {
    const muxer = new Fmp4Muxer([track]);
    expect(findBoxes(muxer.initSegment, 'moov/trak/mdia/mdhd')[0]!.readUInt32BE(12)).toBe(timescale);
    expect(muxed([packetOf(track, 0, payload)], 0).tracks[0]!.samples[0]!.duration).toBe(samplesOfPacket);
  });
});
