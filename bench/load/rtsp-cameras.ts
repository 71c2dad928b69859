// RTSP cameras for load: every path is a camera with the test stream, media interleaved in the connection (RFC 2326 §10.12).
//
//   node rtsp-cameras.ts --port 28095 --kbps 2000
//
// Prints "READY 1" when it listens, and "RESULT {json}" at the end.
import { createServer, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { packetise, writeRtp } from '../lib/h264-rtp.ts';
import {
  aacConfig,
  avcHeader,
  bodyOf,
  type Frame,
  FrameSchedule,
  frameBodies,
  videoFrameMs,
} from '../lib/test-stream.ts';
import { cpuSeconds, printReady, printResult } from '../lib/tool-output.ts';

const audioRate = 48_000;
const channels = { video: 0, audio: 2 } as const;
const payloadTypes = { video: 96, audio: 97 } as const;
/** Offset of the media in the body of an FLV tag, after the tag header. */
const tagHead = { video: 5, audio: 2 } as const;

const { values } = parseArgs({ options: { port: { type: 'string' }, kbps: { type: 'string', default: '2000' } } });
const bodies = frameBodies(Number(values.kbps));
const [sps, pps] = parameterSets(avcHeader());
const payloads = new Map<Buffer, readonly Buffer[]>();
const cameras = new Set<Camera>();
const tally = { players: 0, frames: 0, bytes: 0 };

/** SPS and PPS of an AVC sequence header (ISO 14496-15 §5.2.4.1) that contains exactly one SPS and one PPS. */
function parameterSets(header: Buffer): [Buffer, Buffer] {
  const spsEnd = 13 + header.readUInt16BE(11);
  return [header.subarray(13, spsEnd), header.subarray(spsEnd + 3)];
}

const sdp = [
  ...['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=bench', 'c=IN IP4 0.0.0.0', 't=0 0', 'a=control:*'],
  ...[`m=video 0 RTP/AVP ${payloadTypes.video}`, `a=rtpmap:${payloadTypes.video} H264/90000`, 'a=control:track0'],
  `a=fmtp:${payloadTypes.video} packetization-mode=1;sprop-parameter-sets=${sps.toString('base64')},${pps.toString('base64')}`,
  ...[`m=audio 0 RTP/AVP ${payloadTypes.audio}`, `a=rtpmap:${payloadTypes.audio} mpeg4-generic/${audioRate}/2`],
  `a=fmtp:${payloadTypes.audio} streamtype=5;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=${Buffer.from(aacConfig).toString('hex')}`,
  ...['a=control:track1', ''],
].join('\r\n');

function payloadsOf(frame: Frame): readonly Buffer[] {
  const body = bodyOf(bodies, frame);
  const made = payloads.get(body) ?? (frame.kind === 'video' ? videoPayloads(body, frame.isKey) : audioPayloads(body));
  payloads.set(body, made);
  return made;
}

function videoPayloads(body: Buffer, isKey: boolean): Buffer[] {
  const nalus: Buffer[] = isKey ? [sps, pps] : [];
  for (let at = tagHead.video; at < body.length; at += 4 + body.readUInt32BE(at))
    nalus.push(body.subarray(at + 4, at + 4 + body.readUInt32BE(at)));
  return packetise(nalus);
}

/** Payload with one access unit (RFC 3640 §3.3.6). */
function audioPayloads(body: Buffer): Buffer[] {
  const unit = body.subarray(tagHead.audio);
  const head = Buffer.from([0, 16, 0, 0]);
  head.writeUInt16BE(unit.length << 3, 2);
  return [Buffer.concat([head, unit])];
}

class Camera {
  readonly #socket: Socket;
  readonly #schedule = new FrameSchedule();
  /** A random start distributes the frames of all cameras over the duration of a frame. */
  readonly #begin = performance.now() + Math.random() * videoFrameMs;
  readonly #sequences = { video: 0, audio: 0 };

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  tick(now: number): number {
    for (;;) {
      const due = this.#begin + this.#schedule.nextAtMs;
      if (due > now) return due;
      this.#send(this.#schedule.take());
    }
  }

  #send(frame: Frame): void {
    const { kind, timestampMs } = frame;
    const timestamp = Math.round((timestampMs * (kind === 'video' ? 90_000 : audioRate)) / 1_000);
    const all = payloadsOf(frame);
    const packets = all.flatMap((payload, index) => {
      const isLast = index === all.length - 1;
      const sequence = this.#sequences[kind]++;
      const packet = writeRtp(
        { payloadType: payloadTypes[kind], sequence, timestamp, ssrc: channels[kind] + 1, isLast },
        payload,
      );
      return [Buffer.from([0x24, channels[kind], packet.length >> 8, packet.length & 255]), packet];
    });
    const bytes = Buffer.concat(packets);
    this.#socket.write(bytes);
    tally.frames += 1;
    tally.bytes += bytes.length;
  }
}

const server = createServer((socket) => {
  let text = '';
  let camera: Camera | undefined;
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('close', () => camera && cameras.delete(camera));
  socket.on('data', (data) => {
    text += data.toString('latin1');
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end);
      text = text.slice(end + 4);
      respond(socket, head);
      if (!head.startsWith('PLAY ') || camera) continue;
      camera = new Camera(socket);
      cameras.add(camera);
      tally.players += 1;
    }
  });
});

function respond(socket: Socket, head: string): void {
  const [method = ''] = head.split(' ');
  const lines = [`CSeq: ${/CSeq: *(\d+)/i.exec(head)?.[1] ?? ''}`, 'Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN'];
  if (method === 'SETUP') lines.push(`Transport: ${/Transport: *(.*)/i.exec(head)?.[1] ?? ''}`);
  if (method !== 'OPTIONS' && method !== 'DESCRIBE') lines.push('Session: bench');
  const body = method === 'DESCRIBE' ? sdp : '';
  if (body) lines.push('Content-Type: application/sdp', `Content-Length: ${body.length}`);
  socket.write(`RTSP/1.0 200 OK\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

function loop(): void {
  const now = performance.now();
  let next = now + 10;
  for (const camera of cameras) next = Math.min(next, camera.tick(now));
  setTimeout(loop, Math.max(0, next - performance.now()));
}

function finish(): void {
  printResult({ ...tally, cpu: cpuSeconds() });
  process.exit(0);
}

process.on('SIGTERM', finish);
process.on('SIGINT', finish);
server.listen(Number(values.port ?? 0), '127.0.0.1', () => printReady(1));
loop();
