// Converts elementary streams of AAC (ADTS, LATM), MPEG audio, AC-3 and E-AC-3 to packets. A frame may span several PES packets.
import { ac3HeaderSize, parseAc3Header } from '../../codecs/ac3.ts';
import { aacConfigFromAdts, parseAdtsHeader } from '../../codecs/adts.ts';
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { parseMp3Header } from '../../codecs/mp3.ts';
import type { AudioTrack } from '../../track.ts';
import type { EsReceiver, TsDemuxerEvents } from './es-receiver.ts';

export interface AudioFrame {
  /** Number of bytes to remove at the start of the frame. */
  readonly headerSize: number;
  readonly frameSize: number;
  /** Milliseconds; 0 drops the frame. */
  readonly durationMs: number;
  /** Identifies the configuration. A change requires a new track. */
  readonly format: string;
  /** Set only when the payload differs from the bytes after the header. */
  readonly payload?: Buffer;
}

export interface AudioSyntax {
  readonly minHeaderSize: number;
  /** Returns undefined when no frame starts at `offset`. */
  parseFrame(bytes: Buffer, offset: number): AudioFrame | undefined;
  createTrack(bytes: Buffer, offset: number): AudioTrack;
}

export const adtsSyntax: AudioSyntax = {
  minHeaderSize: 9,
  parseFrame(bytes, offset) {
    const header = parseAdtsHeader(bytes, offset);
    if (header === undefined) return undefined;
    const { headerSize, frameSize, objectType, sampleRate, channelConfiguration } = header;
    const format = `${objectType}/${sampleRate}/${channelConfiguration}`;
    return { headerSize, frameSize, durationMs: 1_024_000 / sampleRate, format };
  },
  createTrack(bytes, offset) {
    const header = parseAdtsHeader(bytes, offset)!;
    const accessUnit = bytes.subarray(offset + header.headerSize, offset + header.frameSize);
    return audioTrackFromConfig('aac', aacConfigFromAdts(header, accessUnit));
  },
};

export const ac3Syntax: AudioSyntax = {
  minHeaderSize: ac3HeaderSize,
  parseFrame(bytes, offset) {
    const header = parseAc3Header(bytes, offset);
    if (header === undefined) return undefined;
    const { codec, frameSize, frameSamples, sampleRate, channels } = header;
    return {
      headerSize: 0,
      frameSize,
      durationMs: (frameSamples * 1000) / sampleRate,
      format: `${codec}/${sampleRate}/${channels}`,
    };
  },
  createTrack(bytes, offset) {
    const { codec, sampleRate, channels } = parseAc3Header(bytes, offset)!;
    return audioTrackFromConfig(codec, Buffer.alloc(0), { sampleRate, channels });
  },
};

/** MPEG audio layers 2 and 3, which share stream types. */
export const mpegAudioSyntax: AudioSyntax = {
  minHeaderSize: 4,
  parseFrame(bytes, offset) {
    const header = parseMp3Header(bytes, offset);
    if (header === undefined || header.layer === 1) return undefined;
    const { layer, frameSize, frameSamples, sampleRate, channels } = header;
    return {
      headerSize: 0,
      frameSize,
      durationMs: (frameSamples * 1000) / sampleRate,
      format: `${layer}/${sampleRate}/${channels}`,
    };
  },
  createTrack(bytes, offset) {
    const { layer, sampleRate, channels } = parseMp3Header(bytes, offset)!;
    return audioTrackFromConfig(layer === 3 ? 'mp3' : 'mp2', Buffer.alloc(0), { sampleRate, channels });
  },
};

/** Maximum size of an incomplete frame, bytes. ADTS frames have at most 8191. */
const maxLeftover = 8192;

export class FramedAudioReceiver implements EsReceiver {
  readonly #syntax: AudioSyntax;
  readonly #events: TsDemuxerEvents;
  #leftover = Buffer.alloc(0) as Buffer;
  #nextMs: number | undefined;
  #format = '';
  #track: AudioTrack | undefined;

  constructor(syntax: AudioSyntax, events: TsDemuxerEvents) {
    this.#syntax = syntax;
    this.#events = events;
  }

  receive({ ptsMs, data }: { ptsMs: number | undefined; data: Buffer }): void {
    const leftoverSize = this.#leftover.length;
    const bytes = leftoverSize > 0 ? Buffer.concat([this.#leftover, data]) : data;
    let timeIsNew = ptsMs !== undefined;
    let offset = 0;
    while (offset + this.#syntax.minHeaderSize <= bytes.length) {
      const frame = this.#syntax.parseFrame(bytes, offset);
      if (frame === undefined) {
        offset++;
        continue;
      }
      if (offset + frame.frameSize > bytes.length) break;
      // A timestamp belongs to the first frame that starts in the PES packet (ISO/IEC 13818-1 §2.4.3.7).
      if (timeIsNew && offset >= leftoverSize) {
        this.#nextMs = ptsMs;
        timeIsNew = false;
      }
      this.#emit(frame, bytes, offset);
      offset += frame.frameSize;
    }
    if (timeIsNew && offset >= leftoverSize) this.#nextMs = ptsMs;
    this.#leftover = Buffer.from(bytes.subarray(Math.max(offset, bytes.length - maxLeftover)));
  }

  reset(): void {
    this.#leftover = Buffer.alloc(0);
    this.#nextMs = undefined;
  }

  #emit(frame: AudioFrame, bytes: Buffer, offset: number): void {
    if (frame.durationMs === 0) return;
    if (frame.format !== this.#format || this.#track === undefined) {
      this.#format = frame.format;
      this.#track = this.#syntax.createTrack(bytes, offset);
      this.#events.onTrack(this.#track);
    }
    if (this.#nextMs === undefined) return;
    const payload = frame.payload ?? Buffer.from(bytes.subarray(offset + frame.headerSize, offset + frame.frameSize));
    this.#events.onPacket({ track: this.#track, keyframe: true, ptsMs: this.#nextMs, dtsMs: this.#nextMs, payload });
    this.#nextMs += frame.durationMs;
  }
}
