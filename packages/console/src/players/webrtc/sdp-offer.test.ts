import { describe, expect, it } from 'vitest';
import { problemOfResponse } from './rtc-problem.ts';
import { preferCodec, withStartBitrate, withStereoOpus } from './sdp-offer.ts';
import { toPlaybackProblem } from './whep-playback.ts';

const offer = [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:63 red/48000/2',
  'a=fmtp:63 111/111',
  '',
].join('\r\n');

describe('stereo in the offer', () => {
  it('is requested on Opus only, and once', () => {
    const stereo = withStereoOpus(offer);
    expect(stereo).toContain('a=fmtp:111 minptime=10;useinbandfec=1;stereo=1;sprop-stereo=1\r\n');
    expect(stereo).toContain('a=fmtp:63 111/111\r\n');
    expect(withStereoOpus(stereo)).toBe(stereo);
  });

  it('does not change an offer without Opus', () => {
    const video = 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 VP8/90000\r\n';
    expect(withStereoOpus(video)).toBe(video);
  });
});

describe('start bitrate in the answer', () => {
  const answer = [
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'a=fmtp:111 stereo=1',
    'm=video 9 UDP/TLS/RTP/SAVPF 96 97',
    'a=rtpmap:96 H264/90000',
    'a=fmtp:96 packetization-mode=1',
    'a=fmtp:97 apt=96',
    '',
  ].join('\r\n');

  it('is set on the video codec only', () => {
    const changed = withStartBitrate(answer, 1200.4);
    expect(changed).toBe(answer.replace('packetization-mode=1', 'packetization-mode=1;x-google-start-bitrate=1200'));
  });

  it('leaves an answer without video unchanged', () => {
    const audioOnly = answer.slice(0, answer.indexOf('m=video'));
    expect(withStartBitrate(audioOnly, 1200)).toBe(audioOnly);
  });
});

describe('codec preference', () => {
  const codec = (mimeType: string, sdpFmtpLine = '') => ({ mimeType, sdpFmtpLine });

  it('puts H.264 first, packetization mode 1 before 0, and keeps the rest in order', () => {
    const codecs = [
      codec('video/VP8'),
      codec('video/rtx'),
      codec('video/H264', 'packetization-mode=0;profile-level-id=42001f'),
      codec('video/H264', 'packetization-mode=1;profile-level-id=42e01f'),
      codec('video/AV1'),
    ];
    expect(
      preferCodec(codecs, 'video/h264').map(({ mimeType, sdpFmtpLine }) => mimeType + sdpFmtpLine.slice(0, 20)),
    ).toEqual([
      'video/H264packetization-mode=1',
      'video/H264packetization-mode=0',
      'video/VP8',
      'video/rtx',
      'video/AV1',
    ]);
  });
});

describe('refusals of the server', () => {
  const envelope = (message: string) => JSON.stringify({ code: 1, data: { name: 'x', message } });

  it.each([
    [401, envelope('wrong secret'), 'unauthorized', 'wrong secret'],
    [403, envelope('no'), 'refused', 'no'],
    [409, envelope('taken'), 'busy', 'taken'],
    [406, envelope('no H.264'), 'codec', 'no H.264'],
    [400, 'not JSON', 'invalid', 'HTTP 400'],
    [404, '', 'invalid', 'HTTP 404'],
    [503, '<html>', 'unavailable', 'HTTP 503'],
    [502, '{"data":{"message":7}}', 'unavailable', 'HTTP 502'],
  ])('HTTP %i "%s" is %s', (status, body, kind, detail) => {
    expect(problemOfResponse(status, body)).toEqual({ kind, detail });
  });

  it('contain the codec that is not supported', () => {
    const body = JSON.stringify({ code: 406, data: { name: 'codec-unsupported', message: 'no', codec: 'hevc' } });
    const problem = problemOfResponse(406, body);
    expect(problem).toEqual({ kind: 'codec', detail: 'no', codec: 'hevc' });
    expect(toPlaybackProblem(problem)).toEqual({ kind: 'codec', codec: 'hevc' });
    expect(toPlaybackProblem({ kind: 'codec', detail: 'the offer has no H.264' })).toEqual({
      kind: 'codec',
      codec: 'h264',
    });
  });
});
