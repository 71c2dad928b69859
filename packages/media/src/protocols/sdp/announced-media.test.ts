import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { parseH264Config, writeH264Config } from '../../codecs/h264-config.ts';
import { writeH265Config } from '../../codecs/h265-config.ts';
import { writeOpusConfig } from '../../codecs/opus.ts';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import { ProtocolError } from '../../protocol-error.ts';
import { aacTrack, h264Track } from '../../testing/media.ts';
import { isSameTrack, type Track } from '../../track.ts';
import { type AnnouncedMedia, parseAnnouncedMedia } from './announced-media.ts';
import { writeStreamDescription } from './stream-description.ts';

const none = Buffer.alloc(0);
const hevcSets = [
  '40010c01ffff01600000030090000003000003003c959809',
  '42010101600000030090000003000003003ca00a080b9f796566924caf016808000003000800000300c840',
  '4401c172b46240',
].map((text) => Buffer.from(text, 'hex'));
const hevcTrack = videoTrackFromConfig('h265', writeH265Config(hevcSets)!);
/** The track as a description can express it: with parameter sets, without the record's chroma and depth. */
const rewrittenH264Track = (() => {
  const { sps, pps } = parseH264Config(h264Track.config)!;
  return videoTrackFromConfig('h264', writeH264Config(sps, pps));
})();
const g711 = (codec: 'pcma' | 'pcmu', sampleRate: number, channels: number) =>
  audioTrackFromConfig(codec, none, { sampleRate, channels });
const described = (...tracks: Track[]) => writeStreamDescription({ name: 'live/s', tracks });
const announce = (...lines: string[]) => parseAnnouncedMedia(['v=0', ...lines].join('\r\n'));
const trackOf = (media: AnnouncedMedia | undefined) => (media?.kind === 'unsupported' ? undefined : media?.track);

describe('a session description', () => {
  it('contains everything that a player needs before the first packet', () => {
    expect(described(h264Track, aacTrack).split('\r\n')).toEqual([
      'v=0',
      'o=- 0 0 IN IP4 0.0.0.0',
      's=live/s',
      'c=IN IP4 0.0.0.0',
      't=0 0',
      'a=range:npt=now-',
      'a=control:*',
      'm=video 0 RTP/AVP 96',
      'a=rtpmap:96 H264/90000',
      'a=fmtp:96 packetization-mode=1;profile-level-id=640028;sprop-parameter-sets=' +
        'Z2QAKKzZQHgET94CIAAAAwAgAAAGQ+LFssA=,aPujyyLA',
      'a=control:trackID=0',
      'm=audio 0 RTP/AVP 97',
      'a=rtpmap:97 MPEG4-GENERIC/48000/2',
      'a=fmtp:97 streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1190',
      'a=control:trackID=1',
      '',
    ]);
  });

  it('removes line breaks from a name, and has a name for a stream without one', () => {
    const nameLine = (name: string) => writeStreamDescription({ name, tracks: [aacTrack] }).split('\r\n')[2];
    expect(nameLine('a\r\na=control:x')).toBe('s=a a=control:x');
    expect(nameLine('')).toBe('s= ');
  });

  it('of H.264 with an invalid configuration leaves the parameter sets to the stream', () => {
    const text = described({ ...h264Track, config: none });
    expect(text).toContain('a=fmtp:96 packetization-mode=1\r\n');
    expect(trackOf(parseAnnouncedMedia(text)[0])).toBeUndefined();
  });

  it.each<[string, Track, number]>([
    ['H.264', rewrittenH264Track, 96],
    ['H.265', hevcTrack, 96],
    ['AAC', aacTrack, 97],
    ['Opus', audioTrackFromConfig('opus', writeOpusConfig(2)), 97],
    ['G.711 A-law', g711('pcma', 8000, 1), 8],
    ['G.711 µ-law in stereo', g711('pcmu', 16_000, 2), 0],
  ])('of %s is parsed as the same track', (_name, track, payloadType) => {
    const [media, ...more] = parseAnnouncedMedia(described(track));
    expect(more).toEqual([]);
    expect(media).toMatchObject({ kind: track.kind, payloadType });
    expect(media!.control).toBe(track.kind === 'video' ? 'trackID=0' : 'trackID=1');
    const read = trackOf(media)!;
    expect(read).toEqual(track);
    expect(isSameTrack(read, track)).toBe(true);
  });

  it('of MPEG audio leaves rate and channels to the frames', () => {
    const track = audioTrackFromConfig('mp2', none, { sampleRate: 48_000, channels: 2 });
    expect(parseAnnouncedMedia(described(track))[0]).toMatchObject({
      ...{ kind: 'audio', payloadType: 14, clockRate: 90_000 },
      track: { codec: 'mp3', sampleRate: 0, channels: 0 },
    });
  });
});

describe('an announcement of a client', () => {
  it('needs no rtpmap for static payload types', () => {
    expect(announce('m=audio 0 RTP/AVP 0', 'm=audio 0 RTP/AVP 8', 'm=audio 0 RTP/AVP 14').map(trackOf)).toMatchObject([
      { codec: 'pcmu', sampleRate: 8000, channels: 1 },
      { codec: 'pcma', sampleRate: 8000, channels: 1 },
      { codec: 'mp3' },
    ]);
  });

  it('may name HEVC in several ways, in any case, with parameter sets in the stream', () => {
    for (const name of ['H265', 'hevc', 'h265']) {
      expect(announce('m=video 0 RTP/AVP 96', `a=rtpmap:96 ${name}/90000`)).toMatchObject([
        { kind: 'video', codec: 'h265', track: undefined, clockRate: 90_000, control: '' },
      ]);
    }
  });

  it('may have other lengths of AU headers', () => {
    const fmtp = 'a=fmtp:97 Config=1190; SizeLength=6;indexLength = 2; indexdeltalength=2; mode=AAC-lbr';
    expect(announce('m=audio 0 RTP/AVP 97', 'a=rtpmap:97 mpeg4-generic/48000/2', fmtp)).toMatchObject([
      {
        kind: 'audio',
        auHeader: { sizeBits: 6, indexBits: 2, indexDeltaBits: 2 },
        track: { codec: 'aac', channels: 2 },
      },
    ]);
  });

  it.each([
    ['JPEG by its static type', ['m=video 0 RTP/AVP 26'], 'JPEG', true],
    ['VP8', ['m=video 0 RTP/AVP 97', 'a=rtpmap:97 VP8/90000'], 'VP8', true],
    ['AAC as LATM', ['m=audio 0 RTP/AVP 97', 'a=rtpmap:97 MP4A-LATM/48000/2'], 'MP4A-LATM', false],
    [
      'AAC without a configuration',
      ['m=audio 0 RTP/AVP 97', 'a=rtpmap:97 mpeg4-generic/48000'],
      'mpeg4-generic',
      false,
    ],
    [
      'AAC without a length of sizes',
      ['m=audio 0 RTP/AVP 97', 'a=rtpmap:97 mpeg4-generic/48000', 'a=fmtp:97 config=1190'],
      'mpeg4-generic',
      false,
    ],
    ['a dynamic type without a map', ['m=video 0 RTP/AVP 98'], 'payload type 98', true],
  ])('is reported as unsupported: %s', (_name, lines, name, isVideo) => {
    expect(announce(...lines)).toMatchObject([{ kind: 'unsupported', name, isVideo }]);
  });

  it('uses the lines of its own payload type, and skips sections that are not media', () => {
    const media = announce(
      ...['m=application 0 RTP/AVP 107', 'a=rtpmap:107 vnd.onvif.metadata/90000'],
      ...['m=audio 0 RTP/AVP 97 98', 'a=rtpmap:98 PCMU/8000', 'a=rtpmap:97 opus/48000/2', 'a=control: rtsp://c/t2 '],
    );
    expect(media).toMatchObject([{ kind: 'audio', control: 'rtsp://c/t2', track: { codec: 'opus' } }]);
  });

  it.each([
    ['', 'nothing'],
    ['o=- 0 0', 'no version'],
    ['v=0', 'no media'],
    ['v=0\r\nm=video 0 RTP/AVP', 'no payload type'],
    ['v=0\r\nm=video 0 RTP/AVP h264', 'a payload type that is not a number'],
    [`v=0${'\r\nm=video 0 RTP/AVP 96'.repeat(17)}`, 'too many sections'],
  ])('is refused: %#, %s', (text) => {
    expect(() => parseAnnouncedMedia(text)).toThrow(ProtocolError);
  });

  it('throws only ProtocolError when truncated or changed anywhere', () => {
    const text = described(hevcTrack, aacTrack);
    const changes = fc.array(fc.tuple(fc.nat(text.length), fc.string({ maxLength: 3 })), { maxLength: 6 });
    fc.assert(
      fc.property(fc.nat(text.length), changes, (end, edits) => {
        let changed = text.slice(0, end);
        for (const [at, insert] of edits) changed = changed.slice(0, at) + insert + changed.slice(at + 1);
        try {
          expect(parseAnnouncedMedia(changed).length).toBeLessThanOrEqual(2);
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
        }
      }),
      { numRuns: 300, seed: 6 },
    );
  });
});
