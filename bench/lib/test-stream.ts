// The RTMP test stream: valid AVC and AAC headers, video at 30 fps, AAC at 48 kHz. A keyframe follows every 2 s and is
// six times as large as other frames. Slices contain random bytes: servers forward them, decoders cannot decode them.
// Every frame has room for a stamp.
import { randomBytes } from 'node:crypto';
import { writeAmf } from './amf0.ts';
import { type MessageHeader, messageType } from './rtmp-chunks.ts';
import type { RtmpPublisher } from './rtmp-publisher.ts';
import { stampBytes } from './stamp.ts';

const audioKbps = 128;
const framesPerSecond = 30;
const gopSeconds = 2;
const gopFrames = framesPerSecond * gopSeconds;
const keyframeWeight = 6;
export const videoFrameMs = 1000 / framesPerSecond;
/** Milliseconds between AAC frames: 1,024 samples at 48 kHz. */
const audioFrameMs = 1024 / 48;

/** Offset of the stamp in a message body: tag header, NALU size, SEI header, UUID; for audio the AAC tag header. */
export const stampOffset = { video: 5 + 4 + 3 + 16, audio: 2 } as const;

type Kind = 'video' | 'audio';

export interface Frame {
  readonly kind: Kind;
  readonly isKey: boolean;
  /** Number of the frame in its track. */
  readonly number: number;
  readonly timestampMs: number;
}

export const chunkStreams = { video: 6, audio: 4 } as const;

export function frameHeader({ kind, timestampMs }: Frame): Omit<MessageHeader, 'stream'> {
  return { chunkStream: chunkStreams[kind], type: messageType[kind], timestampMs: Math.round(timestampMs) };
}

/** Returns the frames of both tracks, in order of time. */
export class FrameSchedule {
  #video = 0;
  #audio = 0;

  /** Milliseconds after the start at which the next frame is due. */
  get nextAtMs(): number {
    return Math.min(this.#video * videoFrameMs, this.#audio * audioFrameMs);
  }

  take(): Frame {
    const videoAt = this.#video * videoFrameMs;
    const audioAt = this.#audio * audioFrameMs;
    if (videoAt <= audioAt) {
      const number = this.#video++;
      return { kind: 'video', isKey: number % gopFrames === 0, number, timestampMs: videoAt };
    }
    return { kind: 'audio', isKey: false, number: this.#audio++, timestampMs: audioAt };
  }
}

export interface FrameBodies {
  readonly key: Buffer;
  readonly inter: Buffer;
  readonly audio: Buffer;
}

/** Message bodies with random content and realistic sizes for a bitrate. All streams of a load share one set. */
export function frameBodies(kbps: number): FrameBodies {
  const videoBytesPerGop = Math.max(0, kbps - audioKbps) * 125 * gopSeconds;
  const interBytes = Math.floor(videoBytesPerGop / (gopFrames + keyframeWeight - 1));
  return {
    key: videoBody(true, interBytes * keyframeWeight),
    inter: videoBody(false, interBytes),
    audio: audioBody(Math.round((audioKbps * 125 * audioFrameMs) / 1000)),
  };
}

export function bodyOf(bodies: FrameBodies, frame: Frame): Buffer {
  if (frame.kind === 'audio') return bodies.audio;
  return frame.isKey ? bodies.key : bodies.inter;
}

function videoBody(isKey: boolean, bytes: number): Buffer {
  const payload = 16 + stampBytes;
  const sei = Buffer.concat([Buffer.from([6, 5, payload]), filler(payload), Buffer.from([0x80])]);
  const slice = Buffer.concat([Buffer.from([isKey ? 0x65 : 0x41]), filler(Math.max(16, bytes - sei.length - 14))]);
  return Buffer.concat([Buffer.from([isKey ? 0x17 : 0x27, 1, 0, 0, 0]), withSize(sei), withSize(slice)]);
}

function audioBody(bytes: number): Buffer {
  return Buffer.concat([Buffer.from([0xaf, 1]), filler(Math.max(stampBytes, bytes - 2))]);
}

function withSize(nalu: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(nalu.length);
  return Buffer.concat([size, nalu]);
}

/** Random bytes from 0x40 to 0xbf, which cannot form a start code. */
function filler(bytes: number): Buffer {
  return randomBytes(bytes).map((byte) => 0x40 + (byte & 0x7f)) as Buffer;
}

/** AAC-LC, 48 kHz, stereo (ISO 14496-3 §1.6.2.1). */
export const aacConfig = [0x11, 0x90] as const;

/** Sends metadata and sequence headers, as an encoder does before media. */
export function sendHeaders(publisher: RtmpPublisher, kbps: number): void {
  const metadata = {
    width: 1280,
    height: 720,
    framerate: framesPerSecond,
    videocodecid: 7,
    videodatarate: kbps - audioKbps,
    audiocodecid: 10,
    audiodatarate: audioKbps,
    audiosamplerate: 48000,
    stereo: true,
    encoder: 'bench',
  };
  const header = (type: keyof typeof messageType, chunkStream: number) => ({
    chunkStream,
    type: messageType[type],
    timestampMs: 0,
  });
  publisher.send(publisher.message(header('data', 4), writeAmf('@setDataFrame', 'onMetaData', metadata)));
  publisher.send(publisher.message(header('video', chunkStreams.video), avcHeader()));
  publisher.send(publisher.message(header('audio', chunkStreams.audio), Buffer.from([0xaf, 0, ...aacConfig])));
}

/** AVC sequence header for 1280 × 720, constrained baseline, level 3.1 (ISO 14496-15 §5.2.4.1). */
export function avcHeader(): Buffer {
  // Sequence parameter set, H.264 §7.3.2.1.1: 80 × 45 macroblocks.
  const sps = new BitWriter([0x67, 66, 0xc0, 31]).ue(0, 0, 2, 1).bits('0').ue(79, 44).bits('1100').end();
  // Picture parameter set, H.264 §7.3.2.2.
  const pps = new BitWriter([0x68]).ue(0, 0).bits('00').ue(0, 0, 0).bits('000').ue(0, 0, 0).bits('100').end();
  const head = Buffer.from([0x17, 0, 0, 0, 0, 1, 66, 0xc0, 31, 0xff, 0xe1]);
  return Buffer.concat([head, withShortSize(sps), Buffer.from([1]), withShortSize(pps)]);
}

function withShortSize(nalu: Buffer): Buffer {
  return Buffer.concat([Buffer.from([nalu.length >> 8, nalu.length & 255]), nalu]);
}

class BitWriter {
  #bits = '';
  readonly #head: readonly number[];

  constructor(head: readonly number[]) {
    this.#head = head;
  }

  bits(text: string): this {
    this.#bits += text;
    return this;
  }

  /** Exponential Golomb codes (H.264 §9.1). */
  ue(...values: number[]): this {
    for (const value of values) {
      const code = (value + 1).toString(2);
      this.bits('0'.repeat(code.length - 1) + code);
    }
    return this;
  }

  /** The bytes, with the stop bit. */
  end(): Buffer {
    const text = `${this.#bits}1`;
    const padded = text.padEnd(Math.ceil(text.length / 8) * 8, '0');
    return Buffer.from([...this.#head, ...(padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))]);
  }
}
