// Data from sources and cameras to which this server connects: ONVIF responses, MPEG-TS datagrams, responses of SRT listeners.
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import { tsPacketSize } from '@srs-stack/media/containers/mpegts/ts-packet.ts';
import { writeRtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { RtpReorderBuffer } from '@srs-stack/media/protocols/rtp/rtp-reorder-buffer.ts';
import { parseTsDatagram } from '@srs-stack/media/protocols/ts-udp/ts-datagram.ts';
import { toCamera } from '../../packages/platform/src/tasks/onvif/onvif-discovery.ts';
import {
  clockAheadOf,
  modelOf,
  presetsOf,
  profilesOf,
} from '../../packages/platform/src/tasks/onvif/onvif-responses.ts';
import { parseSoap } from '../../packages/platform/src/tasks/onvif/soap-message.ts';
import type { XmlElement } from '../../packages/platform/src/tasks/onvif/soap-xml.ts';
import { SrtCaller } from '../../packages/srt/src/handshake/srt-caller.ts';
import {
  extensionType,
  handshakeType,
  parseHandshake,
  srtMagic,
  writeCapabilities,
  writeHandshake,
} from '../../packages/srt/src/packet/handshake-packet.ts';
import {
  controlType,
  parsePacket,
  writeControlPacket,
  writeDataPacket,
} from '../../packages/srt/src/packet/packet-header.ts';
import { mutate } from '../mutate.ts';
import { onvifAnswers, transportStream } from '../seeds.ts';
import { type FuzzTarget, parserTarget } from '../target.ts';

/** Largest tree that the XML reader may return: number of elements and depth. */
const maxElements = 20_000;
const maxDepth = 64;

function countElements(element: XmlElement, depth = 1): number {
  if (depth > maxDepth) throw new Error('nested too deep');
  let count = 1;
  for (const child of element.children) count += countElements(child, depth + 1);
  return count;
}

const longestText = ({ name, codec }: { name: string; codec?: string }): number =>
  Math.max(name.length, codec?.length ?? 0);

function onvifTarget(): FuzzTarget {
  return parserTarget({
    name: 'onvif',
    seeds: onvifAnswers,
    parse(input) {
      const text = input.toString();
      const camera = toCamera(text, '192.0.2.1');
      if (camera && new URL(camera.address).hostname !== '192.0.2.1') throw new Error('leads to another host');
      const answer = parseSoap(text);
      if (answer.kind !== 'body') return;
      if (countElements(answer.body) > maxElements) throw new Error('too many elements');
      const nowMs = 1e12;
      if (Number.isNaN(new Date(nowMs + clockAheadOf(answer.body, nowMs)).getTime())) throw new Error('no time');
      const found = [...profilesOf(answer.body), ...presetsOf(answer.body)];
      const isBounded = found.every((each) => each.token.length <= 128 && longestText(each) <= 128);
      if (!isBounded || modelOf(answer.body).length > 100) throw new Error('a text is too long');
    },
  });
}

const datagramBytes = 7 * tsPacketSize;
const rtpDatagrams = Array.from({ length: Math.floor(transportStream.length / datagramBytes) }, (_, number) =>
  writeRtpPacket({
    ...{ marker: false, payloadType: 33, timestamp: number * 900, sequence: (65_533 + number) & 0xffff, ssrc: 7 },
    payload: transportStream.subarray(number * datagramBytes, (number + 1) * datagramBytes),
  }),
);

/**
 * Two bits of the input decide for each datagram whether it arrives, arrives again later, arrives after the whole input as a datagram, or
 * is lost.
 */
function datagramTarget(): FuzzTarget {
  return parserTarget({
    name: 'source-datagrams',
    seeds: rtpDatagrams,
    parse(input) {
      const buffer = new RtpReorderBuffer({ maxWaitMs: 100, maxPackets: 512 });
      const demuxer = new TsDemuxer({ onTrack: () => {}, onPacket: () => {} });
      const take = (datagram: Buffer, now: number) => {
        const parsed = parseTsDatagram(datagram);
        if (parsed?.kind === 'plain') demuxer.push(parsed.payload);
        if (parsed?.kind !== 'rtp') return;
        for (const { packet, afterGap } of buffer.push(parsed.packet, now)) {
          if (afterGap) demuxer.lose(1);
          demuxer.push(packet.payload);
        }
      };
      const late: Buffer[] = [];
      for (const [number, datagram] of rtpDatagrams.entries()) {
        const fate = ((input[number >> 2] ?? 0) >> ((number & 3) * 2)) & 3;
        if (fate === 1) late.push(datagram);
        if (fate === 2) take(input, number);
        if (fate !== 3) take(datagram, number);
        if (fate === 0) for (const each of late.splice(0)) take(each, number);
      }
      for (const { packet } of buffer.tick(10_000)) demuxer.push(packet.payload);
      demuxer.end();
    },
  });
}

const srtOptions = { receiverLatencyMs: 120, senderLatencyMs: 120 };
const maxDatagramBytes = 1_472;
/** Offset of the destination in the header of SRT. */
const destinationAt = 12;

/** Inputs of an SRT caller in the test run: fewer than usual, because each input opens a connection with its buffers. */
const callerTestInputs = 1_000;

/** A listener responds to a caller. The first byte selects how much of the handshake is correct before the input follows. */
function srtCallerTarget(): FuzzTarget {
  const { answers } = openCall();
  const seeds = [
    ...answers,
    writeDataPacket({ sequence: 5, timestampUs: 9, destinationSocketId: 1 } as never, Buffer.alloc(188, 0x47)),
    ...[0, 1, 2, 3, 5, 6, 7, 0x7fff].map((type) =>
      writeControlPacket({ type, timestampUs: 9, destinationSocketId: 1 } as never, Buffer.alloc(28, 1)),
    ),
  ];
  return {
    ...parserTarget({
      name: 'srt-caller',
      seeds,
      refusals: [],
      parse(input) {
        const { caller, socketId, answers: right, outcomes } = openCall();
        for (const answer of right.slice(0, (input[0] ?? 0) % 3)) caller.handleDatagram(answer, 1_000);
        for (let at = 1; at < input.length; at += maxDatagramBytes) {
          const datagram = Buffer.from(input.subarray(at, at + maxDatagramBytes));
          // A caller drops datagrams for other sockets, so the socket id is set.
          if (datagram.length >= destinationAt + 4) datagram.writeUInt32BE(socketId, destinationAt);
          caller.handleDatagram(datagram, 2_000);
        }
        for (let nowUs = 10_000; nowUs < 12_000_000; nowUs += 500_000) caller.advance(nowUs);
        if (outcomes.length > 1) throw new Error(`last events of one caller: ${outcomes.join()}`);
      },
    }),
    testInputs: callerTestInputs,
    // A valid header lets the input pass to the code behind the header check.
    generate(random) {
      const seed = random.pick(seeds);
      const isWhole = random.once(3);
      const head = isWhole ? Buffer.alloc(0) : seed.subarray(0, destinationAt + 4);
      return Buffer.concat([Buffer.of(random.below(3)), head, mutate(seed.subarray(head.length), seeds, random)]);
    },
  };
}

/** A caller, its socket id, and the correct responses of a listener to its first two datagrams. */
function openCall() {
  const sent: Buffer[] = [];
  const outcomes: string[] = [];
  const caller = new SrtCaller(
    srtOptions,
    'live/s',
    {
      transmit: (datagram) => void sent.push(Buffer.from(datagram)),
      onPayload: () => {},
      onConnected: () => {},
      onClosed: (reason) => outcomes.push(reason),
      onFailed: (code) => outcomes.push(String(code)),
    },
    0,
  );
  const first = parsePacket(sent[0]!);
  if (first.kind !== 'control') throw new Error('a call begins with a handshake');
  const handshake = parseHandshake(first.body);
  const { socketId } = handshake;
  const answer = (changes: object) =>
    writeControlPacket(
      { type: controlType.handshake, timestampUs: 0, destinationSocketId: socketId },
      writeHandshake({ ...handshake, extensions: [], ...changes }),
    );
  const capabilities = writeCapabilities({ srtVersion: 0x010500, flags: 0xbf, ...srtOptions });
  const agreed = [{ type: extensionType.handshakeResponse, content: capabilities }];
  const answers = [
    answer({ type: handshakeType.induction, version: 5, extensionField: srtMagic, cookie: 7 }),
    answer({ type: handshakeType.conclusion, version: 5, extensionField: 1, socketId: 77, extensions: agreed }),
  ];
  return { caller, socketId, answers, outcomes };
}

export const sourceTargets: FuzzTarget[] = [onvifTarget(), datagramTarget(), srtCallerTarget()];
