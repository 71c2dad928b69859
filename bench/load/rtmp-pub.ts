// RTMP publisher for load and latency: any number of streams at a bitrate, a stamp in every frame.
//
//   node rtmp-pub.ts --url 'rtmp://127.0.0.1:21935/live/s{i}' --count 100 --kbps 500 --time 20
//
// Prints "READY n" when all streams are accepted (or failed), and "RESULT {json}" at the end.
import { parseArgs } from 'node:util';
import { quantiles } from '../lib/quantiles.ts';
import { parseRtmpUrl, RtmpPublisher } from '../lib/rtmp-publisher.ts';
import { stampText } from '../lib/stamp.ts';
import {
  bodyOf,
  type Frame,
  FrameSchedule,
  frameBodies,
  frameHeader,
  sendHeaders,
  stampOffset,
  videoFrameMs,
} from '../lib/test-stream.ts';
import { cpuSeconds, FirstError, printReady, printResult } from '../lib/tool-output.ts';

const maxStreams = 1_000;
const maxSeconds = 900;
const maxSamples = 2_000_000;
const ramp = 50;
const acceptTimeoutMs = 15_000;
const chunkHeaderBytes = 12;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    count: { type: 'string', default: '1' },
    kbps: { type: 'string', default: '2000' },
    time: { type: 'string', default: '20' },
  },
});
if (!values.url) {
  console.error('--url rtmp://127.0.0.1:port/app/name ({i} is the number of the stream)');
  process.exit(2);
}
const url = values.url;
const count = Math.min(Number(values.count), maxStreams);
const kbps = Number(values.kbps);
const seconds = Math.min(Number(values.time), maxSeconds);
const bodies = frameBodies(kbps);

const tally = { accepted: 0, failed: 0, closed: 0, frames: 0, bytes: 0, maxQueuedBytes: 0 };
const firstError = new FirstError();
const lateMs: number[] = [];
const acceptMs: number[] = [];

class Stream {
  readonly #publisher: RtmpPublisher;
  readonly #schedule = new FrameSchedule();
  /** Serialized messages whose timestamp and stamp are patched for each frame. */
  #templates = new Map<Buffer, Buffer>();
  #begin = 0;

  constructor(index: number) {
    this.#publisher = new RtmpPublisher(parseRtmpUrl(url.replace('{i}', String(index))), {
      accepted: (tookMs) => {
        tally.accepted += 1;
        acceptMs.push(tookMs);
        sendHeaders(this.#publisher, kbps);
        // A random start distributes the frames of all streams over the duration of a frame.
        this.#begin = performance.now() + Math.random() * videoFrameMs;
      },
      failed: (reason) => {
        tally.failed += 1;
        firstError.note(reason);
      },
      closed: () => {
        tally.closed += 1;
      },
    });
  }

  /** Sends due frames and returns the time of the next frame. */
  tick(now: number): number {
    if (!this.#publisher.isLive || this.#begin === 0) return Number.POSITIVE_INFINITY;
    for (;;) {
      const due = this.#begin + this.#schedule.nextAtMs;
      if (due > now) return due;
      this.#send(this.#schedule.take());
      if (lateMs.length < maxSamples) lateMs.push(now - due);
    }
  }

  close(): void {
    this.#publisher.close();
  }

  #send(frame: Frame): void {
    const bytes = Buffer.from(this.#template(frame));
    bytes.writeUIntBE(Math.round(frame.timestampMs) & 0xffffff, 1, 3);
    bytes.write(stampText(frame.number), chunkHeaderBytes + stampOffset[frame.kind], 'latin1');
    this.#publisher.send(bytes);
    tally.frames += 1;
    tally.bytes += bytes.length;
    tally.maxQueuedBytes = Math.max(tally.maxQueuedBytes, this.#publisher.queuedBytes);
  }

  #template(frame: Frame): Buffer {
    const body = bodyOf(bodies, frame);
    const known = this.#templates.get(body) ?? this.#publisher.message(frameHeader(frame), body);
    this.#templates.set(body, known);
    return known;
  }
}

const streams: Stream[] = [];
const startedAt = performance.now();
let readyAt = 0;
let bytesAtReady = 0;
let isEnding = false;

function loop(): void {
  const now = performance.now();
  while (streams.length < count && ((now - startedAt) / 1000) * ramp >= streams.length)
    streams.push(new Stream(streams.length));
  let next = now + 10;
  for (const stream of streams) next = Math.min(next, stream.tick(now));
  const answered = tally.accepted + tally.failed + tally.closed;
  if (!readyAt && (answered >= count || now - startedAt > acceptTimeoutMs + (count / ramp) * 1000)) {
    readyAt = now;
    bytesAtReady = tally.bytes;
    printReady(tally.accepted);
  }
  if (readyAt && now - readyAt >= seconds * 1000) {
    finish();
    return;
  }
  // A timer for each frame: stamps contain the time at which the frame is written.
  setTimeout(loop, Math.max(0, next - performance.now()));
}

function finish(): void {
  if (isEnding) return;
  isEnding = true;
  printResult({
    streams: count,
    ...tally,
    firstError: firstError.text,
    mbps: readyAt ? ((tally.bytes - bytesAtReady) * 8) / (performance.now() - readyAt) / 1000 : 0,
    acceptMs: quantiles(acceptMs),
    lateMs: quantiles(lateMs),
    cpu: cpuSeconds(),
  });
  for (const stream of streams) stream.close();
  setTimeout(() => process.exit(0), 200);
}

process.on('SIGTERM', finish);
process.on('SIGINT', finish);
loop();
