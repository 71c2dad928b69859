import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { planMedia } from './media-plan.ts';
import { parseSdpOffer } from './sdp-offer.ts';

/** Offer of a page that plays: every section is `recvonly`. */
const chromium = readFileSync(join(import.meta.dirname, 'testdata/chromium-156-offer.sdp'), 'utf8');
const chromiumSends = chromium.replaceAll('a=recvonly', 'a=sendonly');
const plan = (text: string, direction: 'send' | 'receive', profileIdc?: number) =>
  planMedia(parseSdpOffer(text), direction, profileIdc);
const refusal = (text: string, direction: 'send' | 'receive', profileIdc?: number) => {
  try {
    plan(text, direction, profileIdc);
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError);
    return (error as ProtocolError).reason;
  }
  return 'none';
};

const offerOf = (...sections: readonly (readonly string[])[]) =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    `a=group:BUNDLE ${sections.map((_, index) => index).join(' ')}`,
    ...sections.flatMap((lines, index) => [lines[0]!, `a=mid:${index}`, 'a=rtcp-mux', ...lines.slice(1)]),
  ].join('\n');
const video = (lines: readonly string[] = [], payloads = '96') => [`m=video 9 UDP/TLS/RTP/SAVPF ${payloads}`, ...lines];
const h264 = ['a=rtpmap:96 H264/90000', 'a=fmtp:96 packetization-mode=1;profile-level-id=64001f'];
const opus = ['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=rtpmap:111 opus/48000/2'];

describe('the media plan for an offer', () => {
  it('selects the H.264 closest to the stream and Opus in stereo for a browser that plays', () => {
    expect(plan(chromium, 'send', 77)).toEqual([
      {
        kind: 'video',
        mid: '1',
        codec: 'h264',
        payloadType: 116,
        format: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=4d001f',
      },
      {
        kind: 'audio',
        mid: '0',
        codec: 'opus',
        payloadType: 111,
        format: 'minptime=10;useinbandfec=1;stereo=1;sprop-stereo=1',
      },
    ]);
  });

  it('selects the first H.264 of packetization mode 1 for a browser that publishes', () => {
    expect(plan(chromiumSends, 'receive').map(({ codec, payloadType }) => [codec, payloadType])).toEqual([
      ['h264', 102],
      ['opus', 111],
    ]);
  });

  it.each([
    ['mode 0', ['a=fmtp:96 packetization-mode=0;profile-level-id=42e01f']],
    ['no mode', ['a=fmtp:96 profile-level-id=42e01f']],
    ['no parameters', []],
  ])('selects H.264 of %s if nothing else is offered, unchanged', (_name, parameters) => {
    const offer = offerOf(video(['a=rtpmap:96 H264/90000', ...parameters]));
    for (const ours of ['receive', 'send'] as const) {
      const [planned] = plan(offer, ours, 100);
      expect(planned).toMatchObject({ payloadType: 96, format: parameters[0]?.slice('a=fmtp:96 '.length) ?? '' });
    }
  });

  it('prefers packetization mode 1 to a closer profile in mode 0', () => {
    const zero = ['a=rtpmap:97 H264/90000', 'a=fmtp:97 packetization-mode=0;profile-level-id=42e01f'];
    expect(plan(offerOf(video([...zero, ...h264], '97 96')), 'send', 66)[0]?.payloadType).toBe(96);
  });

  it('has one medium when only one is offered', () => {
    expect(plan(offerOf(video(h264)), 'receive').map(({ kind }) => kind)).toEqual(['video']);
    expect(plan(offerOf(opus), 'receive').map(({ kind }) => kind)).toEqual(['audio']);
  });

  it('has only audio for a player of a stream with unknown video', () => {
    const vp8 = video(['a=rtpmap:96 VP8/90000']);
    expect(plan(offerOf(vp8, opus), 'send').map(({ kind }) => kind)).toEqual(['audio']);
  });

  it.each([
    ['inactive', 'receive'],
    ['recvonly', 'receive'],
    ['sendonly', 'send'],
  ] as const)('skips a section that is %s when we %s', (direction, ours) => {
    const sections = offerOf(video([...h264, `a=${direction}`]), opus);
    expect(plan(sections, ours).map(({ kind }) => kind)).toEqual(['audio']);
  });

  it('skips a section without rtcp-mux', () => {
    const sections = offerOf(video(h264), opus).replace('a=rtcp-mux\n', '');
    expect(plan(sections, 'receive').map(({ kind }) => kind)).toEqual(['audio']);
  });
});

describe('a refusal', () => {
  it.each([
    [
      'names the codecs a publisher offers, and the remedy',
      offerOf(video(['a=rtpmap:96 VP8/90000', 'a=rtpmap:97 AV1/90000', 'a=rtpmap:98 rtx/90000'], '96 97 98'), opus),
      'receive',
      0,
      'video is offered in VP8, AV1: set the encoder to H.264',
    ],
    [
      'names other output protocols for a player without H.264',
      offerOf(video(['a=rtpmap:96 VP9/90000', 'a=rtpmap:97 red/90000'], '96 97'), opus),
      'send',
      100,
      'video is offered in VP9, but the stream is H.264: use another browser, or play it over HTTP-FLV or HLS',
    ],
    [
      'reports video that is offered without a codec',
      offerOf(video(), opus),
      'receive',
      0,
      'video is offered in no codec: set the encoder to H.264',
    ],
    [
      'does not select H.264 of packetization mode 2',
      offerOf(video(['a=rtpmap:96 H264/90000', 'a=fmtp:96 packetization-mode=2'])),
      'receive',
      0,
      'video is offered in H264: set the encoder to H.264',
    ],
    [
      'requires bundled media',
      offerOf(video(h264), opus).replace(/a=group:.*\n/, ''),
      'receive',
      0,
      'the offer must bundle its media (a=group:BUNDLE)',
    ],
    [
      'names what is missing when nothing can be used',
      offerOf(['m=audio 9 UDP/TLS/RTP/SAVPF 0', 'a=rtpmap:0 PCMU/8000']),
      'receive',
      0,
      'the offer has neither H.264 video nor Opus audio',
    ],
  ] as const)('%s', (_, text, direction, profileIdc, message) => {
    expect(refusal(text, direction, profileIdc)).toBe(message);
  });
});
