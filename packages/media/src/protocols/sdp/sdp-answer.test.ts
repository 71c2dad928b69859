import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { replaceCandidates } from './candidates.ts';
import { planMedia } from './media-plan.ts';
import { type SdpAnswerOptions, writeSdpAnswer } from './sdp-answer.ts';
import { parseSdpOffer } from './sdp-offer.ts';
import { parseOfferTransport } from './sdp-transport.ts';

const chromium = readFileSync(join(import.meta.dirname, 'testdata/chromium-156-offer.sdp'), 'utf8');
const encoder = [
  ...['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE video0 audio0'],
  ...['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:video0', 'a=sendonly', 'a=rtcp-mux', 'a=rtpmap:96 H264/90000'],
  ...['a=fmtp:96 packetization-mode=1', 'm=audio 9 UDP/TLS/RTP/SAVPF 97', 'a=mid:audio0', 'a=sendonly'],
  ...['a=rtcp-mux', 'a=rtpmap:97 opus/48000/2', ''],
].join('\r\n');

const transport: Omit<SdpAnswerOptions, 'offer' | 'plans'> = {
  ufrag: 'Ab+/1234',
  password: '0123456789abcdefghijklmn',
  fingerprint: { hash: 'sha-256', digest: Buffer.alloc(32, 0xa1) },
  setup: 'passive',
  candidates: [
    { ip: '2001:db8::7', port: 8_000 },
    { ip: '203.0.113.9', port: 8_000 },
  ],
  sessionId: 42,
  cname: 'srs-stack',
};

function answerTo(offer: string, direction: 'send' | 'receive', changes: Partial<SdpAnswerOptions> = {}): string[] {
  const plans = planMedia(parseSdpOffer(offer), direction, direction === 'send' ? 77 : 0);
  const directed = plans.map((plan, index) => ({ ...plan, direction, ssrc: 1_000 + index }));
  return linesOf(writeSdpAnswer({ offer, plans: directed, ...transport, ...changes }));
}

function linesOf(answer: string): string[] {
  expect(answer.endsWith('\r\n')).toBe(true);
  return answer.slice(0, -2).split('\r\n');
}

const sectionsOf = (lines: readonly string[]) => {
  const starts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []));
  return starts.map((start, index) => lines.slice(start, starts[index + 1]));
};
const shared = [
  'a=setup:passive',
  'a=ice-ufrag:Ab+/1234',
  'a=ice-pwd:0123456789abcdefghijklmn',
  `a=fingerprint:sha-256 ${Array(32).fill('A1').join(':')}`,
];
const candidates = [
  'a=candidate:1 1 udp 2130706431 2001:db8::7 8000 typ host',
  'a=candidate:2 1 udp 2130706175 203.0.113.9 8000 typ host',
  'a=end-of-candidates',
];

describe('the answer', () => {
  it('to a Chromium page that plays', () => {
    expect(answerTo(chromium, 'send')).toEqual([
      ...['v=0', 'o=- 42 0 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0 1', 'a=ice-lite', 'a=ice-options:ice2'],
      'a=msid-semantic:WMS *',
      ...['m=audio 8000 UDP/TLS/RTP/SAVPF 111', 'c=IN IP4 203.0.113.9', 'a=mid:0', 'a=sendonly'],
      ...['a=ssrc:1001 cname:srs-stack', 'a=ssrc:1001 msid:srs-stack audio', 'a=msid:srs-stack audio', 'a=rtcp-mux'],
      ...['a=rtpmap:111 opus/48000/2', 'a=fmtp:111 minptime=10;useinbandfec=1;stereo=1;sprop-stereo=1'],
      ...[...shared, ...candidates],
      ...['m=video 8000 UDP/TLS/RTP/SAVPF 116', 'c=IN IP4 203.0.113.9', 'a=mid:1', 'a=sendonly'],
      ...['a=ssrc:1000 cname:srs-stack', 'a=ssrc:1000 msid:srs-stack video', 'a=msid:srs-stack video', 'a=rtcp-mux'],
      ...['a=rtpmap:116 H264/90000', 'a=rtcp-fb:116 nack', 'a=rtcp-fb:116 nack pli', 'a=rtcp-fb:116 goog-remb'],
      'a=fmtp:116 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=4d001f',
      ...shared,
    ]);
  });

  it('to an encoder contains no source, and all supported feedback', () => {
    const [video, audio] = sectionsOf(answerTo(encoder, 'receive'));
    expect(video).toEqual([
      ...['m=video 8000 UDP/TLS/RTP/SAVPF 96', 'c=IN IP4 203.0.113.9', 'a=mid:video0', 'a=recvonly', 'a=rtcp-mux'],
      ...['a=rtpmap:96 H264/90000', 'a=rtcp-fb:96 nack', 'a=rtcp-fb:96 nack pli', 'a=rtcp-fb:96 goog-remb'],
      ...['a=fmtp:96 packetization-mode=1', ...shared, ...candidates],
    ]);
    expect(audio?.slice(0, 4)).toEqual([
      ...['m=audio 8000 UDP/TLS/RTP/SAVPF 97', 'c=IN IP4 203.0.113.9', 'a=mid:audio0', 'a=recvonly'],
    ]);
  });

  it('contains only feedback that is offered, for the payload type or for all', () => {
    const offer = (feedback: string) => encoder.replace('a=fmtp:96', `${feedback}\r\na=fmtp:96`);
    const feedbackTo = (feedback: string) =>
      answerTo(offer(feedback), 'receive').filter((line) => line.startsWith('a=rtcp-fb:'));
    expect(feedbackTo('a=rtcp-fb:96 nack pli\r\na=rtcp-fb:96 ccm fir')).toEqual(['a=rtcp-fb:96 nack pli']);
    expect(feedbackTo('a=rtcp-fb:* nack')).toEqual(['a=rtcp-fb:96 nack']);
    expect(feedbackTo('a=rtcp-fb:96 transport-cc')).toEqual([]);
  });

  it('refuses unused sections, and keeps their places and names', () => {
    const application = [
      ...['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'c=IN IP4 0.0.0.0', 'a=mid:data', 'a=sctp-port:5000'],
    ];
    const second = [
      'm=video 9 UDP/TLS/RTP/SAVPF 98 99',
      'a=mid:2',
      'a=recvonly',
      'a=rtcp-mux',
      'a=rtpmap:98 VP9/90000',
    ];
    const [session, ...media] = chromium.trimEnd().split(/\n(?=m=)/);
    const offer = [
      session!.replace('BUNDLE 0 1', 'BUNDLE data 0 2 1'),
      application.join('\n'),
      media[0],
      second.join('\n'),
      media[1],
      '',
    ];
    const plans = [
      { kind: 'video', mid: '1', direction: 'send', codec: 'h264', payloadType: 116, format: '', ssrc: 7 },
    ] as const;
    const lines = linesOf(writeSdpAnswer({ offer: offer.join('\n'), plans, ...transport }));
    expect(lines).toContain('a=group:BUNDLE 1');
    const sections = sectionsOf(lines);
    expect(sections.slice(0, 3)).toEqual([
      ['m=application 0 UDP/DTLS/SCTP webrtc-datachannel', 'c=IN IP4 0.0.0.0', 'a=mid:data', 'a=inactive'],
      [
        ...['m=audio 0 UDP/TLS/RTP/SAVPF 111', 'c=IN IP4 0.0.0.0', 'a=mid:0', 'a=inactive'],
        'a=rtpmap:111 opus/48000/2',
      ],
      ['m=video 0 UDP/TLS/RTP/SAVPF 98', 'c=IN IP4 0.0.0.0', 'a=mid:2', 'a=inactive', 'a=rtpmap:98 VP9/90000'],
    ]);
    expect(sections[3]).toEqual(expect.arrayContaining(['a=mid:1', 'a=sendonly', ...shared, ...candidates]));
    expect(sections).toHaveLength(4);
  });

  it('uses one section per plan, and only of the same kind', () => {
    const twice = encoder.replace('m=audio 9', 'm=video 9').replace('a=mid:audio0', 'a=mid:video0');
    const plans = [
      { kind: 'video', mid: 'video0', direction: 'receive', codec: 'h265', payloadType: 96, format: '', ssrc: 0 },
      { kind: 'audio', mid: 'video0', direction: 'receive', codec: 'opus', payloadType: 97, format: '', ssrc: 0 },
    ] as const;
    const lines = linesOf(writeSdpAnswer({ offer: twice, plans, ...transport }));
    expect(lines.filter((line) => line.startsWith('m='))).toEqual([
      'm=video 8000 UDP/TLS/RTP/SAVPF 96',
      'm=video 0 UDP/TLS/RTP/SAVPF 97',
    ]);
    expect(lines).toContain('a=rtpmap:96 H265/90000');
    expect(lines.some((line) => line.startsWith('a=fmtp'))).toBe(false);
  });

  it('gets addresses that become known later, at the port of its candidates', () => {
    const answer = answerTo(chromium, 'send').join('\r\n');
    const replaced = replaceCandidates(answer, [{ ip: '198.51.100.4' }], { udp: 8_000 }).split('\r\n');
    expect(replaced.filter((line) => /^a=(candidate|end)/.test(line))).toEqual([
      'a=candidate:1 1 udp 2130706431 198.51.100.4 8000 typ host',
      'a=end-of-candidates',
    ]);
  });

  it.each([
    [[], 9, 'IP4 0.0.0.0'],
    [[{ ip: '2001:db8::7', port: 70 }], 70, 'IP6 2001:db8::7'],
  ] as const)('with the candidates %j has port %i of %s', (given, port, address) => {
    const lines = answerTo(encoder, 'receive', { candidates: given });
    expect(lines).toEqual(expect.arrayContaining([`m=video ${port} UDP/TLS/RTP/SAVPF 96`, `c=IN ${address}`]));
  });

  it('can be parsed as an offer, with the same transport', () => {
    const text = answerTo(chromium, 'send', { setup: 'active' }).join('\n');
    expect(parseSdpOffer(text).sections.map(({ mid, direction }) => [mid, direction])).toEqual([
      ['0', 'sendonly'],
      ['1', 'sendonly'],
    ]);
    const read = parseOfferTransport(text);
    expect(read).toMatchObject({ ufrag: transport.ufrag, password: transport.password, setup: 'active' });
    expect(read.fingerprints).toEqual([transport.fingerprint]);
  });

  it('throws only ProtocolError, and each of its lines is valid', () => {
    const lines = [...chromium.split('\n'), ...encoder.split('\r\n'), 'm=', 'm=video', 'a=mid:', 'a=rtcp-fb:'];
    const plan = { kind: 'video', direction: 'send', codec: 'h264', payloadType: 96, format: '', ssrc: 1 } as const;
    const plans = ['0', '1', ''].map((mid) => ({ ...plan, mid }));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 40 }), fc.string(), (picks, junk) => {
        try {
          const offer = ['v=0', ...picks, `m=video 9 x ${junk}`, `a=mid:${junk}`].join('\n');
          const answer = linesOf(writeSdpAnswer({ offer, plans, ...transport }));
          expect(answer.every((line) => /^[a-z]=[^\r\n]*$/.test(line))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 300, seed: 8 },
    );
  });

  it('is refused for invalid offers', () => {
    expect(() => writeSdpAnswer({ offer: 'hello', plans: [], ...transport })).toThrow(ProtocolError);
  });
});
