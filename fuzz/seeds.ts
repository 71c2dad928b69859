// Valid inputs to start from: output of this repository's writers, and recorded or handwritten messages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toFlvMessage, toMetadataMessage, toSequenceHeader } from '@srs-stack/media/containers/flv/flv-muxer.ts';
import { TsChunks } from '@srs-stack/media/containers/mpegts/ts-chunks.ts';
import { TsMuxer } from '@srs-stack/media/containers/mpegts/ts-muxer.ts';
import type { AmfValue } from '@srs-stack/media/protocols/rtmp/amf0.ts';
import { writeAmf0 } from '@srs-stack/media/protocols/rtmp/amf0.ts';
import { writeCommand } from '@srs-stack/media/protocols/rtmp/command-message.ts';
import {
  writeSetPeerBandwidth,
  writeUserControl,
  writeWindowAckSize,
} from '@srs-stack/media/protocols/rtmp/control-messages.ts';
import { handshakePartBytes } from '@srs-stack/media/protocols/rtmp/handshake-digest.ts';
import {
  connectObject,
  writeHello,
  writeMessage,
  writePlayCalls,
  writePublishCalls,
} from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { packetizeAv1 } from '@srs-stack/media/protocols/rtp/av1-packetizer.ts';
import { packetizeH264 } from '@srs-stack/media/protocols/rtp/h264-packetizer.ts';
import { writeNack, writePli, writeReceiverTime, writeRemb } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { writeRtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import {
  writeBindingError,
  writeBindingRequest,
  writeBindingSuccess,
} from '@srs-stack/media/protocols/stun/binding-messages.ts';
import { aacTrack, audio, h264Config, h264Track, keyframe, video } from '@srs-stack/media/testing/media.ts';

const packets = Array.from({ length: 12 }, (_, n) => [
  n % 6 === 0 ? keyframe(n * 40) : video(n * 40),
  audio(n * 23),
]).flat();

/** FLV message bodies. The first byte is the type (8, 9, 18). */
export const flvBodies: Buffer[] = [
  toSequenceHeader(h264Track, 0),
  toSequenceHeader(aacTrack, 0),
  toMetadataMessage({ width: 1280, height: 720 } as never),
  ...packets.map(toFlvMessage),
].flatMap((message) => (message ? [Buffer.concat([Buffer.of(message.type), message.head, message.payload])] : []));

/** Bodies of enhanced RTMP (v2): HEVC, AV1, VP9, Opus, multitrack. */
export const enhancedBodies: Buffer[] = [
  '0990687663310101600000009000000000005df000fcfdf8f800000f03a0000100184001',
  '099061763031810c0c000a0b00000042a7fffd9fff0080',
  '0991767030390001000000',
  '0890 4f707573 4f707573486561640102380180bb0000000000',
  '0895 00 6d703461 00 1190',
].map((hex) => Buffer.from(hex.replaceAll(' ', ''), 'hex'));

export const transportStream: Buffer = (() => {
  const muxer = new TsMuxer({ audioBatchMs: 100 });
  const sink = new TsChunks();
  for (const packet of packets) muxer.write(packet, sink);
  muxer.flush(sink);
  return Buffer.concat(sink.take());
})();

export const codecConfigs: Buffer[] = [
  h264Config,
  ...['1190', '2b92080000', '1208', 'f8f48500', '0af80b50'].map((hex) => Buffer.from(hex, 'hex')),
  ...['fff15080043ffc', 'fffb9064', '4f707573486561640102380180bb0000000000'].map((hex) => Buffer.from(hex, 'hex')),
  Buffer.from('01640028ffe1001a67640028acd94078044fde0220000003002000000643e2c5b2c001000668fba3cb22c0fdf8f800', 'hex'),
  Buffer.from('0101600000009000000000005df000fcfdf8f800000f03a0000100184001', 'hex'),
];

export const amfValues: Buffer[] = [
  writeAmf0('connect', 1, connectObject),
  writeAmf0('@setDataFrame', 'onMetaData', { width: 1920, list: [1, 'a', null] } as AmfValue),
  writeAmf0('x', 0, null, undefined as unknown as AmfValue, new Date(1e12) as AmfValue, true),
  Buffer.from('020004636f6e6e0a0000000205060b4278bcfe56800000000011040111060568656c6c6f0901035a0401', 'hex'),
];

/** Messages of encoders and players on an RTMP connection, from the handshake to media. */
export const rtmpSessions: Buffer[] = [
  Buffer.concat([
    writeHello(),
    writePublishCalls('s?secret=x'),
    ...flvBodies.map((body, n) =>
      writeMessage({ typeId: body[0] ?? 0, streamId: 1, timestamp: n * 20, payload: body.subarray(1) }, 4),
    ),
  ]),
  Buffer.concat([writeHello(), writePlayCalls('s')]),
];

const rtmpAnswer = (...values: Parameters<typeof writeCommand>[2][]): Buffer =>
  writeMessage(writeCommand(0, false, ...values));
/** S0, S1 and S2. */
const serverHello = Buffer.concat([Buffer.of(3), Buffer.alloc(2 * handshakePartBytes, 9)]);
const connectRejection = { level: 'error', code: 'NetConnection.Connect.Rejected' };
const authenticationRequest =
  '[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=needauth&user=me&salt=c2FsdA==&challenge=Y2hhbA==&opaque=b3Bh';

/** Responses of servers to a publishing client: stream accepted, authentication challenge, redirect. */
export const rtmpAnswers: Buffer[] = [
  Buffer.concat([
    serverHello,
    ...[writeWindowAckSize(5_000), writeSetPeerBandwidth(2_500_000), writeUserControl(6, 7)].map((message) =>
      writeMessage(message, 2),
    ),
    rtmpAnswer('_result', 1, { fmsVer: 'x' }, { code: 'NetConnection.Connect.Success', fourCcList: ['hvc1', 'av01'] }),
    rtmpAnswer('_error', 2, null, { code: 'NetConnection.Call.Failed' }),
    rtmpAnswer('_result', 4, null, 1),
    rtmpAnswer('onStatus', 0, null, { level: 'status', code: 'NetStream.Publish.Start' }),
    rtmpAnswer('onStatus', 0, null, { code: 'NetConnection.Connect.ReconnectRequest', tcUrl: 'rtmp://other/live' }),
  ]),
  Buffer.concat([
    serverHello,
    rtmpAnswer('_error', 1, null, { ...connectRejection, description: authenticationRequest }),
  ]),
  Buffer.concat([
    serverHello,
    rtmpAnswer('_error', 1, null, { ...connectRejection, ex: { code: 302, redirect: 'rtmp://other/live' } }),
  ]),
];

export const announcedSdp = [
  ...[
    'v=0',
    'o=- 0 0 IN IP4 127.0.0.1',
    's=x',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    'm=video 0 RTP/AVP 102',
    'a=rtpmap:102 H264/90000',
  ],
  'a=fmtp:102 packetization-mode=1; sprop-parameter-sets=Z2QACqzZX4iIhAAAAwAEAAADAFA8SJZY,aOvjyyLA; profile-level-id=64000A',
  ...['a=control:streamid=0', 'm=audio 0 RTP/AVP 97', 'a=rtpmap:97 MPEG4-GENERIC/44100/2'],
  'a=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3; config=121056E500',
  ...['a=control:streamid=1', ''],
].join('\r\n');

function rtspRequest(method: string, suffix: string, headers: readonly string[] = [], body = ''): Buffer {
  const lines = [`${method} rtsp://h/live/s${suffix} RTSP/1.0`, 'CSeq: 1', ...headers];
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

export const rtpPackets: Buffer[] = packetizeH264([Buffer.alloc(2_000, 0x65), Buffer.alloc(40, 0x41)], 1_200).map(
  (payload, n) =>
    writeRtpPacket({ payloadType: 102, marker: n === 2, sequence: n, timestamp: 90 * n, ssrc: 7, payload } as never),
);
/** A sequence header and a keyframe, whole and in fragments. */
export const av1Payloads: Buffer[] = [1_200, 20].flatMap((size) =>
  packetizeAv1([Buffer.from('0800000024c6a7df36be4010', 'hex'), Buffer.alloc(60, 0x30)], size),
);
export const rtcpPackets: Buffer[] = [
  writePli(1, 2),
  writeRemb(1, 2, 3e6),
  writeReceiverTime(1, 1e12),
  writeNack(1, 2, [3, 4, 9, 40]),
];

const checkParts = { transactionId: Buffer.alloc(12, 7), password: 'VOkJxbRl1RmTxUk/WvJxBt' };
export const iceNames = { localUfrag: 'evtj', localPassword: checkParts.password, remoteUfrag: 'h6vY' };
export const stunMessages: Buffer[] = [
  writeBindingRequest({ ...checkParts, username: 'evtj:h6vY', priority: 1, useCandidate: true, controlling: 7n }),
  writeBindingSuccess({ ...checkParts, address: { ip: '192.0.2.1', port: 9_000 } }),
  writeBindingSuccess({ ...checkParts, address: { ip: '2001:db8::7', port: 9_000 } }),
  writeBindingError({ ...checkParts, code: 420, reason: 'Unknown Attribute', unknownAttributes: [0x30, 0x31, 0x32] }),
];

/** Requests of an encoder and a player on an RTSP connection. */
export const rtspSessions: Buffer[] = [
  Buffer.concat([
    rtspRequest('OPTIONS', ''),
    rtspRequest('ANNOUNCE', '', [], announcedSdp),
    rtspRequest('SETUP', '/streamid=0', ['Transport: RTP/AVP/TCP;unicast;interleaved=0-1;mode=record']),
    rtspRequest('SETUP', '/streamid=1', ['Transport: RTP/AVP;unicast;client_port=5000-5001;mode=record']),
    rtspRequest('RECORD', '', ['Session: 1', 'Range: npt=0-']),
    ...rtpPackets.map((packet) =>
      Buffer.concat([Buffer.from([0x24, 0, packet.length >> 8, packet.length & 0xff]), packet]),
    ),
    rtspRequest('TEARDOWN', ''),
  ]),
  Buffer.concat([
    rtspRequest('DESCRIBE', '', ['Accept: application/sdp', 'Authorization: Basic dTpw']),
    rtspRequest('SETUP', '/trackID=0', [
      'Transport: RTP/AVP;unicast;client_port=5000-5001,RTP/AVP/TCP;interleaved=0-1',
    ]),
    rtspRequest('PLAY', '', ['Session: 1']),
    Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n'),
    rtspRequest('GET_PARAMETER', ''),
  ]),
];

/** Responses of a camera to an RTSP client, including an authentication challenge. */
export const rtspPullAnswers: Buffer[] = [
  Buffer.concat([
    Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: DESCRIBE, GET_PARAMETER\r\n\r\n'),
    Buffer.from('RTSP/1.0 401 Unauthorized\r\nCSeq: 2\r\nWWW-Authenticate: Basic realm="c"\r\n'),
    Buffer.from('WWW-Authenticate: Digest realm="c", nonce="1", qop="auth", algorithm=SHA-256, stale=true\r\n\r\n'),
    Buffer.from(
      `RTSP/1.0 200 OK\r\nCSeq: 3\r\nContent-Base: rtsp://h/a/\r\nContent-Length: ${announcedSdp.length}\r\n\r\n`,
    ),
    Buffer.from(announcedSdp),
    Buffer.from(
      'RTSP/1.0 200 OK\r\nCSeq: 4\r\nSession: 1;timeout=30\r\nTransport: RTP/AVP/TCP;interleaved=0-1\r\n\r\n',
    ),
    Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 5\r\nTransport: RTP/AVP/TCP;interleaved=2-3\r\n\r\n'),
    Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 6\r\nSession: 1\r\n\r\n'),
    ...rtpPackets.map((packet) =>
      Buffer.concat([Buffer.from([0x24, 0, packet.length >> 8, packet.length & 0xff]), packet]),
    ),
  ]),
  Buffer.from(
    'RTSP/1.0 302 Moved\r\nCSeq: 1\r\nLocation: rtsp://other/x\r\n\r\nREDIRECT * RTSP/1.0\r\nCSeq: 1\r\n\r\n',
  ),
];

const sdpFolder = join(import.meta.dirname, '../packages/media/src/protocols/sdp/testdata');
export const sdpOffer: Buffer = readFileSync(join(sdpFolder, 'chromium-156-offer.sdp'));

const soap = (body: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Header/><s:Body>${body}</s:Body></s:Envelope>`,
  );

/** ONVIF responses of a camera, including faults, and responses to a search. */
export const onvifAnswers: Buffer[] = [
  soap(
    '<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:UTCDateTime><tt:Time><tt:Hour>7</tt:Hour><tt:Minute>8</tt:Minute><tt:Second>9</tt:Second></tt:Time><tt:Date><tt:Year>2026</tt:Year><tt:Month>1</tt:Month><tt:Day>2</tt:Day></tt:Date></tt:UTCDateTime></tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>',
  ),
  soap(
    '<trt:GetProfilesResponse><trt:Profiles token="main" fixed="true"><tt:Name>Main &amp; sub</tt:Name><tt:VideoEncoderConfiguration token="v"><tt:Encoding>H264</tt:Encoding><tt:Resolution><tt:Width>1920</tt:Width><tt:Height>1080</tt:Height></tt:Resolution><tt:RateControl><tt:FrameRateLimit>25</tt:FrameRateLimit></tt:RateControl></tt:VideoEncoderConfiguration><tt:PTZConfiguration token="p"/></trt:Profiles></trt:GetProfilesResponse>',
  ),
  soap(
    '<tds:GetDeviceInformationResponse><tds:Manufacturer><![CDATA[A<b]]></tds:Manufacturer><!-- x --><tds:Model>M&#x41;</tds:Model></tds:GetDeviceInformationResponse>',
  ),
  soap('<GetPresetsResponse><Preset token="1"><Name>Gate</Name></Preset><Preset token="2"/></GetPresetsResponse>'),
  soap(
    '<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>ter:NotAuthorized</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang="en">no</s:Text></s:Reason></s:Fault>',
  ),
  soap(
    '<d:ProbeMatches><d:ProbeMatch><d:Scopes>onvif://www.onvif.org/name/Front%20door onvif://www.onvif.org/hardware/Dome7</d:Scopes><d:XAddrs>http://169.254.7.7/a http://192.0.2.1:8080/onvif/device_service</d:XAddrs></d:ProbeMatch></d:ProbeMatches>',
  ),
];
