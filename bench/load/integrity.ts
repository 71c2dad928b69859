// Detects lost, reordered or changed frames between an RTMP publisher and an HTTP-FLV viewer.
//
//   node integrity.ts --rtmp 'rtmp://127.0.0.1:21935/live/s{i}' --flv 'http://127.0.0.1:28080/live/s{i}.flv' \
//     --count 100 --kbps 500 --time 10
//
// Every stream has one viewer, and every frame has unique content. Received and sent frames are compared byte for byte
// and in order. The comparison starts with the first received frame, which is the first sent frame if the server has a
// GOP cache. Prints WINDOW_START / WINDOW_END and "RESULT {json}".
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type FlvTag, readFlv } from '../lib/flv-client.ts';
import { messageType } from '../lib/rtmp-chunks.ts';
import { parseRtmpUrl, RtmpPublisher } from '../lib/rtmp-publisher.ts';
import { stampText } from '../lib/stamp.ts';
import { bodyOf, FrameSchedule, frameBodies, frameHeader, sendHeaders, stampOffset } from '../lib/test-stream.ts';
import { cpuSeconds, FirstError, printReady, printResult, printWindow } from '../lib/tool-output.ts';

const maxStreams = 200;
const maxSeconds = 60;
const acceptTimeoutMs = 15_000;
/** Time for frames in transit to arrive after the publishers have stopped, milliseconds. */
const drainMs = 2_000;
const tickMs = 5;

const { values } = parseArgs({
  options: {
    rtmp: { type: 'string' },
    flv: { type: 'string' },
    count: { type: 'string', default: '1' },
    kbps: { type: 'string', default: '500' },
    time: { type: 'string', default: '10' },
  },
});
if (!values.rtmp || !values.flv) {
  console.error('--rtmp rtmp://127.0.0.1:port/app/name{i} --flv http://127.0.0.1:port/app/name{i}.flv');
  process.exit(2);
}
const { rtmp, flv } = values;
const count = Math.min(Number(values.count), maxStreams);
const kbps = Number(values.kbps);
const seconds = Math.min(Number(values.time), maxSeconds);

const bodies = frameBodies(kbps);
const tally = { sent: 0, compared: 0, bytes: 0, missing: 0, unexpected: 0, retimed: 0, readersFailed: 0 };
const firstError = new FirstError();

interface SentFrame {
  readonly body: Buffer;
  readonly timestampMs: number;
}

/** Compares the received frames of one track with the sent frames. Sent frames are kept until they are received. */
class TrackComparison {
  #underWay: SentFrame[] = [];
  #hasBegun = false;
  /** Received timestamp minus sent timestamp. A server may shift a whole stream, but not individual frames. */
  #shiftMs = 0;

  sent(frame: SentFrame): void {
    this.#underWay.push(frame);
    tally.sent += 1;
  }

  received({ body, timestampMs }: FlvTag): void {
    const index = this.#underWay.findIndex((frame) => frame.body.equals(body));
    const frame = this.#underWay[index];
    if (!frame) {
      tally.unexpected += 1;
      return;
    }
    if (!this.#hasBegun) this.#shiftMs = timestampMs - frame.timestampMs;
    else tally.missing += index; // skipped frames: lost, or reordered (then counted as unexpected later)
    if (timestampMs - frame.timestampMs !== this.#shiftMs) tally.retimed += 1;
    this.#hasBegun = true;
    this.#underWay.splice(0, index + 1);
    tally.compared += 1;
    tally.bytes += body.length;
  }

  end(): void {
    tally.missing += this.#underWay.length;
  }
}

class Stream {
  isAnswered = false;
  readonly #video = new TrackComparison();
  readonly #audio = new TrackComparison();
  readonly #schedule = new FrameSchedule();
  readonly #publisher: RtmpPublisher;
  #begin = 0;
  #stopReading: (() => void) | undefined;
  readonly #index: number;

  constructor(index: number) {
    this.#index = index;
    this.#publisher = new RtmpPublisher(parseRtmpUrl(rtmp.replace('{i}', String(index))), {
      accepted: () => {
        this.isAnswered = true;
        sendHeaders(this.#publisher, kbps);
        this.#begin = performance.now();
      },
      failed: (reason) => {
        this.isAnswered = true;
        firstError.note(reason);
      },
      closed: () => firstError.note('the server closed the connection of a publisher'),
    });
  }

  get isLive(): boolean {
    return this.#publisher.isLive;
  }

  read(): void {
    const url = flv.replace('{i}', String(this.#index));
    this.#stopReading = readFlv(
      url,
      (tag) => this.#onTag(tag),
      (reason) => {
        tally.readersFailed += 1;
        firstError.note(`viewer: ${reason}`);
      },
    );
  }

  tick(now: number): void {
    if (!this.isLive || this.#begin === 0) return;
    while (this.#begin + this.#schedule.nextAtMs <= now) {
      const frame = this.#schedule.take();
      const body = Buffer.from(bodyOf(bodies, frame));
      body.write(stampText(frame.number), stampOffset[frame.kind], 'latin1');
      // Stream and frame number make the content of each frame unique.
      body.writeUInt32BE(0x40400000 + this.#index, body.length - 8);
      body.writeUInt32BE(0x40000000 + frame.number, body.length - 4);
      this.#track(frame.kind).sent({ body, timestampMs: Math.round(frame.timestampMs) });
      this.#publisher.send(this.#publisher.message(frameHeader(frame), body));
    }
  }

  close(): void {
    this.#video.end();
    this.#audio.end();
    this.#stopReading?.();
    this.#publisher.close();
  }

  #track(kind: 'video' | 'audio'): TrackComparison {
    return kind === 'video' ? this.#video : this.#audio;
  }

  #onTag(tag: FlvTag): void {
    const isMedia = tag.type === messageType.video || tag.type === messageType.audio;
    // Byte 1 of AVC and AAC bodies is 0 in sequence headers (FLV specification §E.4.3.1, §E.4.2.1).
    if (isMedia && tag.body[1] !== 0) this.#track(tag.type === messageType.video ? 'video' : 'audio').received(tag);
  }
}

const streams = Array.from({ length: count }, (_, index) => new Stream(index));
for (let waited = 0; waited < acceptTimeoutMs && !streams.every((stream) => stream.isAnswered); waited += 20)
  await delay(20);
const live = streams.filter((stream) => stream.isLive);
printReady(live.length);
for (const stream of live) stream.read();

printWindow('START');
const pulse = setInterval(() => {
  const now = performance.now();
  for (const stream of live) stream.tick(now);
}, tickMs);
await delay(seconds * 1000);
clearInterval(pulse);
printWindow('END');
await delay(drainMs);
for (const stream of live) stream.close();
printResult({ streams: count, live: live.length, ...tally, firstError: firstError.text, cpu: cpuSeconds() });
setTimeout(() => process.exit(0), 200);
