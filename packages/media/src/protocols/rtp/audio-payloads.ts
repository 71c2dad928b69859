// Converts audio frames to RTP payloads and back. AAC uses AAC-hbr (RFC 3640 §3.3.6); MPEG audio uses RFC 2250 §3.5. Opus (RFC 7587) and
// G.711 (RFC 3551 §4.5.14) have no payload header; a long G.711 frame is split.
import { parseMp3Header } from '../../codecs/mp3.ts';
import type { AudioCodec } from '../../track.ts';
import type { RtpPacket } from './rtp-packet.ts';

/** Maximum size of a reassembled frame, bytes. AAC with 8 channels has at most 6144. */
const maxFrameBytes = 16 * 1024;
const aacHeaderBytes = 4;
const mpaHeaderBytes = 4;

export interface AudioPayload {
  readonly payload: Buffer;
  /** Time after the start of the frame, ticks. */
  readonly afterTicks: number;
}

/** Returns the payloads of one frame in order. A frame of AAC, MPEG audio or G.711 is split if longer than `maxPayloadBytes`. */
export function packetizeAudio(codec: AudioCodec, frame: Buffer, maxPayloadBytes: number): AudioPayload[] {
  if (codec === 'aac') return cut(frame, maxPayloadBytes - aacHeaderBytes, () => aacHeader(frame.length));
  if (codec === 'mp3' || codec === 'mp2') return cut(frame, maxPayloadBytes - mpaHeaderBytes, mpaHeader);
  if (codec === 'pcma' || codec === 'pcmu') {
    return cut(frame, maxPayloadBytes, () => undefined).map((part, index) => ({
      ...part,
      afterTicks: index * maxPayloadBytes,
    }));
  }
  return [{ payload: frame, afterTicks: 0 }];
}

function cut(frame: Buffer, step: number, headerAt: (offset: number) => Buffer | undefined): AudioPayload[] {
  const payloads: AudioPayload[] = [];
  for (let offset = 0; offset < frame.length; offset += step) {
    const part = frame.subarray(offset, offset + step);
    const header = headerAt(offset);
    payloads.push({ payload: header ? Buffer.concat([header, part]) : part, afterTicks: 0 });
  }
  return payloads;
}

/** One AU header: 13 bits size, 3 bits index. Each fragment contains the size of the whole frame (§3.2.3). */
function aacHeader(frameBytes: number): Buffer {
  const header = Buffer.from([0, 16, 0, 0]);
  header.writeUInt16BE((frameBytes << 3) & 0xffff, 2);
  return header;
}

function mpaHeader(offset: number): Buffer {
  return Buffer.from([0, 0, offset >> 8, offset & 0xff]);
}

export interface AudioFrameOfRtp {
  readonly payload: Buffer;
  /** RTP timestamp. */
  readonly timestamp: number;
}

export interface AudioDepacketizer {
  onGap(): void;
  /** Returns the frames that this packet completes. An unfragmented frame is a view of the packet. */
  push(packet: RtpPacket): AudioFrameOfRtp[];
}

/** Lengths of the fields of an AU header, bits (RFC 3640 §4.1). */
export interface AuHeaderFormat {
  readonly sizeBits: number;
  readonly indexBits: number;
  readonly indexDeltaBits: number;
}

/** Extracts AAC frames. `frameTicks` is the duration of one frame. */
export class AacDepacketizer implements AudioDepacketizer {
  readonly #format: AuHeaderFormat;
  readonly #frameTicks: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(format: AuHeaderFormat, frameTicks: number) {
    this.#format = format;
    this.#frameTicks = frameTicks;
  }

  onGap(): void {
    this.#parts = [];
    this.#bytes = 0;
  }

  push({ payload, timestamp }: RtpPacket): AudioFrameOfRtp[] {
    if (payload.length < 2) return [];
    const headerBits = payload.readUInt16BE(0);
    let at = 2 + Math.ceil(headerBits / 8);
    if (at > payload.length) return [];
    const sizes = this.#sizesOf(payload.subarray(2, at), headerBits);
    const only = sizes.length === 1 ? sizes[0]! : 0;
    if (only > payload.length - at) return this.#join(payload.subarray(at), only, timestamp);
    this.onGap();
    const frames: AudioFrameOfRtp[] = [];
    for (const size of sizes) {
      if (at + size > payload.length) break;
      const ticks = timestamp + frames.length * this.#frameTicks;
      if (size > 0) frames.push({ payload: payload.subarray(at, at + size), timestamp: ticks >>> 0 });
      at += size;
    }
    return frames;
  }

  #sizesOf(headers: Buffer, bits: number): number[] {
    const { sizeBits, indexBits, indexDeltaBits } = this.#format;
    const sizes: number[] = [];
    if (sizeBits === 0) return sizes;
    for (let at = 0; at + sizeBits <= bits && at + sizeBits <= headers.length * 8; ) {
      sizes.push(bitsAt(headers, at, sizeBits));
      at += sizeBits + (sizes.length === 1 ? indexBits : indexDeltaBits);
    }
    return sizes;
  }

  #join(part: Buffer, frameBytes: number, timestamp: number): AudioFrameOfRtp[] {
    if (frameBytes > maxFrameBytes) return [];
    this.#parts.push(Buffer.from(part));
    this.#bytes += part.length;
    if (this.#bytes < frameBytes) return [];
    const payload = Buffer.concat(this.#parts, frameBytes);
    this.onGap();
    return [{ payload, timestamp }];
  }
}

/** Extracts MPEG audio frames. A packet contains whole frames, or a part of one frame. */
export class MpegAudioDepacketizer implements AudioDepacketizer {
  #held = Buffer.alloc(0);

  onGap(): void {
    this.#held = Buffer.alloc(0);
  }

  push({ payload, timestamp }: RtpPacket): AudioFrameOfRtp[] {
    if (payload.length <= mpaHeaderBytes) return [];
    const isFirst = payload.readUInt16BE(2) === 0;
    const body = payload.subarray(mpaHeaderBytes);
    const bytes = isFirst ? body : Buffer.concat([this.#held, body]);
    this.onGap();
    const frames: AudioFrameOfRtp[] = [];
    let ticks = 0;
    for (let at = 0; at < bytes.length; ) {
      const header = parseMp3Header(bytes, at);
      if (!header) break;
      const end = at + header.frameSize;
      if (end > bytes.length) {
        if (bytes.length <= maxFrameBytes) this.#held = Buffer.from(bytes.subarray(at));
        break;
      }
      frames.push({ payload: bytes.subarray(at, end), timestamp: (timestamp + ticks) >>> 0 });
      ticks += Math.round((header.frameSamples * 90_000) / header.sampleRate);
      at = end;
    }
    return frames;
  }
}

/** For Opus and G.711, where each packet is a frame. */
export class PlainDepacketizer implements AudioDepacketizer {
  onGap(): void {
    // Frames do not depend on each other.
  }

  push({ payload, timestamp }: RtpPacket): AudioFrameOfRtp[] {
    return payload.length === 0 ? [] : [{ payload, timestamp }];
  }
}

function bitsAt(bytes: Buffer, start: number, count: number): number {
  let value = 0;
  for (let bit = start; bit < start + count; bit++) value = value * 2 + ((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1);
  return value;
}
