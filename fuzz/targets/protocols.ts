// Wire protocols without sockets: RTMP with AMF, RTP, RTCP, SDP, RTSP, STUN, and SRT from the first datagram.

import { writeAv1Config } from '@srs-stack/media/codecs/av1.ts';
import { AmfCursor } from '@srs-stack/media/protocols/rtmp/amf-value.ts';
import { parseAmf0 } from '@srs-stack/media/protocols/rtmp/amf0.ts';
import { readAmf3Value } from '@srs-stack/media/protocols/rtmp/amf3.ts';
import { RtmpConnection, type RtmpConnectionHandler } from '@srs-stack/media/protocols/rtmp/connection.ts';
import { parsePublishAddress } from '@srs-stack/media/protocols/rtmp/publish-address.ts';
import { RtmpPublishClient } from '@srs-stack/media/protocols/rtmp/publish-client.ts';
import { Av1Depacketizer } from '@srs-stack/media/protocols/rtp/av1-depacketizer.ts';
import { H264Depacketizer } from '@srs-stack/media/protocols/rtp/h264-depacketizer.ts';
import { parseRtcp } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { parseRtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { RtpReorderBuffer } from '@srs-stack/media/protocols/rtp/rtp-reorder-buffer.ts';
import { parseBasicCredentials } from '@srs-stack/media/protocols/rtsp/credentials.ts';
import { parsePullAddress } from '@srs-stack/media/protocols/rtsp/pull-address.ts';
import { RtspPullClient } from '@srs-stack/media/protocols/rtsp/rtsp-pull-client.ts';
import { RtspReader } from '@srs-stack/media/protocols/rtsp/rtsp-reader.ts';
import { parseRtspUrl, trackOfUrl } from '@srs-stack/media/protocols/rtsp/rtsp-url.ts';
import { parseTransports } from '@srs-stack/media/protocols/rtsp/transport-header.ts';
import { parseAnnouncedMedia } from '@srs-stack/media/protocols/sdp/announced-media.ts';
import { hostPorts, replaceCandidates, withoutCandidates } from '@srs-stack/media/protocols/sdp/candidates.ts';
import { planMedia } from '@srs-stack/media/protocols/sdp/media-plan.ts';
import { writeSdpAnswer } from '@srs-stack/media/protocols/sdp/sdp-answer.ts';
import { parseSdpOffer } from '@srs-stack/media/protocols/sdp/sdp-offer.ts';
import { parseOfferTransport } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import { localUfragOf } from '@srs-stack/media/protocols/stun/ice-credentials.ts';
import { IceLiteAgent } from '@srs-stack/media/protocols/stun/ice-lite-agent.ts';
import { parseStunMessage } from '@srs-stack/media/protocols/stun/stun-message.ts';
import { SrtAcceptor } from '../../packages/srt/src/handshake/srt-acceptor.ts';
import { SrtCaller } from '../../packages/srt/src/handshake/srt-caller.ts';
import { parseAck } from '../../packages/srt/src/packet/ack.ts';
import {
  parseCapabilities,
  parseExtensionText,
  parseHandshake,
} from '../../packages/srt/src/packet/handshake-packet.ts';
import { parseLossReport } from '../../packages/srt/src/packet/loss-report.ts';
import { parsePacket, writeControlPacket, writeDataPacket } from '../../packages/srt/src/packet/packet-header.ts';
import { mutate } from '../mutate.ts';
import {
  amfValues,
  announcedSdp,
  av1Payloads,
  iceNames,
  rtcpPackets,
  rtmpAnswers,
  rtmpSessions,
  rtpPackets,
  rtspPullAnswers,
  rtspSessions,
  sdpOffer,
  stunMessages,
} from '../seeds.ts';
import { type FuzzTarget, parserTarget, piecesOf } from '../target.ts';

/** Maximum length of a media message that an RTMP connection may deliver, bytes. */
const maxHeldBytes = 64 * 1024 * 1024;

export const protocolTargets: FuzzTarget[] = [
  parserTarget({ name: 'amf0', seeds: amfValues, parse: parseAmf0 }),
  parserTarget({
    name: 'amf3',
    seeds: amfValues.map((value) => Buffer.concat([Buffer.from('0a0b01', 'hex'), value])),
    parse: (input) => readAmf3Value(new AmfCursor(input)),
  }),
  parserTarget({
    name: 'rtmp',
    seeds: rtmpSessions,
    refusals: ['ProtocolError', 'UnsupportedCodecError'],
    parse(input) {
      const handler: RtmpConnectionHandler = {
        send: () => {},
        onPublish: () => connection.acceptPublish(0),
        onPlay: () => connection.acceptPlay(0),
        onMedia: ({ payload }) => {
          if (payload.length > maxHeldBytes) throw new Error('a message is longer than allowed');
        },
        onDropped: () => {},
        onPublishEnd: () => {},
        onPlayEnd: () => {},
      };
      const connection = new RtmpConnection(handler, { now: 0, random: (bytes) => Buffer.alloc(bytes, 7) });
      for (const piece of piecesOf(input)) connection.push(piece, 0);
    },
  }),
  parserTarget({
    name: 'rtmp-publish',
    seeds: rtmpAnswers,
    parse: (input) => readRtmpAnswers(input),
  }),
  parserTarget({
    name: 'rtp',
    seeds: rtpPackets,
    parse(input) {
      const buffer = new RtpReorderBuffer({ maxWaitMs: 100, maxPackets: 64 });
      const frames = new H264Depacketizer();
      const read = (bytes: Buffer, now: number) => {
        for (const { packet, afterGap } of buffer.push(parseRtpPacket(bytes), now)) {
          if (afterGap) frames.onGap();
          frames.push(packet);
        }
      };
      read(rtpPackets[0] as Buffer, 0);
      read(input, 1);
      buffer.tick(1_000);
    },
  }),
  parserTarget({
    name: 'rtp-av1',
    seeds: av1Payloads,
    parse(input) {
      const frames = new Av1Depacketizer();
      const push = (payload: Buffer, marker: boolean) => {
        const packet = { marker, payloadType: 96, sequence: 0, timestamp: 1, ssrc: 7, payload };
        for (const unit of frames.push(packet)?.units ?? []) writeAv1Config(unit);
      };
      const half = input.length >> 1;
      push(input.subarray(0, half), false);
      push(input.subarray(half), true);
      push(input, true);
    },
  }),
  parserTarget({ name: 'rtcp', seeds: rtcpPackets, parse: parseRtcp }),
  parserTarget({
    name: 'sdp',
    seeds: [sdpOffer, sdpOffer.subarray(0, 900)],
    parse(input) {
      const text = input.toString();
      hostPorts(text);
      withoutCandidates(text);
      replaceCandidates(text, [{ ip: '192.0.2.1', port: 8_000 } as never], { udp: 8_000, tcp: 8_000 });
      const offer = parseSdpOffer(text);
      for (const direction of ['send', 'receive'] as const) {
        const plans = planMedia(offer, direction, 66).map((plan) => ({ ...plan, direction, ssrc: 7 }));
        const { ufrag, password, fingerprints } = parseOfferTransport(text, plans[0]?.mid);
        const ours = {
          ufrag,
          password,
          fingerprint: fingerprints[0]!,
          setup: 'passive',
          sessionId: 1,
          cname: 'x',
        } as const;
        writeSdpAnswer({ offer: text, plans, ...ours, candidates: [{ ip: '192.0.2.1', port: 8_000 }] });
      }
    },
  }),
  parserTarget({
    name: 'rtsp',
    seeds: rtspSessions,
    parse(input) {
      const reader = new RtspReader({
        onRequest({ url, headers, body }) {
          parseRtspUrl(url);
          trackOfUrl(url);
          parseTransports(headers.get('transport') ?? '');
          parseBasicCredentials(headers.get('authorization'));
          if (body !== '') parseAnnouncedMedia(body);
        },
        onFrame: () => {},
      });
      for (const piece of piecesOf(input)) {
        reader.read(piece);
        while (reader.isHeldBack) reader.readOn();
      }
    },
  }),
  parserTarget({
    name: 'rtsp-pull',
    seeds: rtspPullAnswers,
    parse(input) {
      const client = new RtspPullClient(
        { url: 'rtsp://h/a', credentials: { user: 'u', password: 'p' }, userAgent: 'x', clientNonce: () => '0' },
        {
          send: () => {},
          onDescribed: (media) => client.setUp(media.map((_each, index) => index)),
          onPlaying: () => {},
          onServerPorts: () => {},
          onFrame: () => {},
          onEnd: () => {},
        },
      );
      client.start();
      for (const piece of piecesOf(input)) {
        client.read(piece);
        while (client.isHeldBack) client.readOn();
      }
    },
  }),
  parserTarget({
    name: 'pull-address',
    seeds: [Buffer.from('rtsp://user:p%40ss@host:554/a?b=c'), Buffer.from('rtsps://[fe80::1]:322/a')],
    parse: (input) => parsePullAddress(input.toString()),
  }),
  parserTarget({
    name: 'announced-sdp',
    seeds: [Buffer.from(announcedSdp)],
    parse: (input) => parseAnnouncedMedia(input.toString()),
  }),
  parserTarget({
    name: 'stun',
    seeds: stunMessages,
    parse(input) {
      const message = parseStunMessage(input);
      localUfragOf(message);
      const { response } = new IceLiteAgent(iceNames).handleCheck(input, message, {
        ip: '::ffff:192.0.2.1',
        port: 9_000,
      });
      if (response) parseStunMessage(response);
    },
  }),
  srtTarget(),
];

function srtTarget(): FuzzTarget {
  const options = { receiverLatencyMs: 120, senderLatencyMs: 120 };
  const remote = { address: '192.0.2.1', port: 9_000 };
  const seeds = handshakeOf(options);
  seeds.push(
    writeDataPacket({ sequence: 5, timestampUs: 9, destinationSocketId: 1 } as never, Buffer.alloc(188, 0x47)),
    ...[0, 1, 2, 3, 5, 6, 7, 0x7fff].map((type) =>
      writeControlPacket({ type, timestampUs: 9, destinationSocketId: 1 } as never, Buffer.alloc(28, 1)),
    ),
  );
  return {
    ...parserTarget({
      name: 'srt',
      seeds,
      refusals: ['SrtProtocolError'],
      parse(input) {
        const acceptor = new SrtAcceptor(
          options,
          {
            transmit: () => {},
            onRequest: (request) => void request.accept({ onPayload: () => {}, onClosed: () => {} }, 0),
          },
          0,
        );
        acceptor.handleDatagram(input, remote, 1_000);
        const packet = parsePacket(input);
        if (packet.kind !== 'control') return;
        const parsers = [parseHandshake, parseCapabilities, parseExtensionText, parseLossReport, parseAck];
        for (const parse of parsers) {
          try {
            parse(packet.body);
          } catch (error) {
            if ((error as Error).name !== 'SrtProtocolError') throw error;
          }
        }
      },
    }),
    // A valid header lets the input pass to the code behind the header check.
    generate(random) {
      const seed = random.pick(seeds);
      const body = mutate(seed.subarray(16), seeds, random);
      return random.once(3) ? mutate(seed, seeds, random) : Buffer.concat([seed.subarray(0, 16), body]);
    },
  };
}

function handshakeOf(options: { receiverLatencyMs: number; senderLatencyMs: number }): Buffer[] {
  const sent: Buffer[] = [];
  const remote = { address: '192.0.2.1', port: 9_000 };
  const events = { onPayload: () => {}, onClosed: () => {}, onConnected: () => {}, onFailed: () => {} };
  let caller: SrtCaller | undefined;
  const acceptor = new SrtAcceptor(
    options,
    { transmit: (datagram) => caller?.handleDatagram(datagram, 0), onRequest: () => {} },
    0,
  );
  const waiting: Buffer[] = [];
  const transmit = (datagram: Buffer) => {
    sent.push(Buffer.from(datagram));
    waiting.push(datagram);
  };
  caller = new SrtCaller(options, '#!::r=live/s,m=publish', { ...events, transmit }, 0);
  for (let next = waiting.shift(); next && sent.length < 8; next = waiting.shift())
    acceptor.handleDatagram(next, remote, 0);
  return sent;
}

const publishAddress = parsePublishAddress('rtmp://user:password@host/live', 'key');
/**
 * Limit of data sent by a client: `ownBytes` unprompted, and `maxAmplification` bytes for each received byte.
 * The limit prevents a client from amplifying traffic.
 */
const ownBytes = 64 * 1024;
const maxAmplification = 4;

/** Reads responses of a server to a publishing client. The outcome must be a result, an accepted stream, or a protocol error. */
function readRtmpAnswers(input: Buffer): void {
  if (!publishAddress) throw new Error('the address of the target is invalid');
  let sentBytes = 0;
  let outcomes = 0;
  const client = new RtmpPublishClient(
    {
      send: (parts) => {
        for (const { length } of parts) sentBytes += length;
      },
      onReady: ({ messageStreamId }) => {
        if (!Number.isInteger(messageStreamId)) throw new Error('the message stream is not a number');
      },
      onEnd: () => outcomes++,
    },
    { address: publishAddress, authQuery: '', random: (bytes) => Buffer.alloc(bytes, 7) },
  );
  client.start();
  for (const piece of piecesOf(input)) {
    client.push(piece);
    while (client.isHeldBack) client.readOn();
  }
  client.end();
  if (outcomes > 1) throw new Error(`${outcomes} outcomes of one connection`);
  if (sentBytes > ownBytes + input.length * maxAmplification)
    throw new Error(`${sentBytes} bytes sent for ${input.length} received`);
}
