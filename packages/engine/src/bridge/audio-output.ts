// Output of an audio converter: FFmpeg options for the encoder, and a parser that finds the encoded frames and their positions.
import { parseAdtsHeader } from '@srs-stack/media/codecs/adts.ts';
import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { writeOpusConfig } from '@srs-stack/media/codecs/opus.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { isRtcp, parseRtpPacket, rtpSequenceDistance } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import type { AudioCodec, AudioTrack } from '@srs-stack/media/track.ts';

/** Receives one encoded frame. `audioMs`: position of its first sample in the input, milliseconds. */
export type FrameSink = (payload: Buffer, audioMs: number) => void;

const sampleRate = 48_000;
const bitrate = '128k';
const opusFrameMs = 20;
/** Delay of libopus with `-application lowdelay`, milliseconds: 120 samples, RFC 6716 §5. */
const opusDelayMs = 2.5;
const aacFrameSamples = 1024;
/** Delay of FFmpeg's AAC encoder, samples: the output starts with one silent frame. */
const aacDelaySamples = 1024;
/** Longest ADTS frame, bytes. Limits the buffer of an incomplete frame. */
const maxAdtsBytes = 0x1fff;

/** Tracks of converted audio. They are constant, so viewers need no new header after a restart of the converter. */
export const convertedTracks = {
  opus: audioTrackFromConfig('opus', writeOpusConfig(2)),
  /** AAC-LC, 48 kHz, stereo. */
  aac: audioTrackFromConfig('aac', Buffer.from([0x11, 0x90])),
} as const satisfies Partial<Record<AudioCodec, AudioTrack>>;

export type ConvertedCodec = keyof typeof convertedTracks;

const common = ['-ar', `${sampleRate}`, '-ac', '2', '-b:a', bitrate];

/** FFmpeg options for Opus in RTP to a UDP port on loopback. Each packet carries one frame; sequence numbers start with 0. */
export function opusOutputArgs(port: number, ssrc: number): string[] {
  const encoder = ['-c:a', 'libopus', '-application', 'lowdelay', '-frame_duration', `${opusFrameMs}`, ...common];
  const muxer = ['-f', 'rtp', '-rtpflags', 'skip_rtcp', '-seq', '0', '-ssrc', `${ssrc}`];
  return [...encoder, ...muxer, `udp://127.0.0.1:${port}`];
}

/** FFmpeg options for AAC in ADTS on standard output. */
export const aacOutputArgs: readonly string[] = [
  '-c:a',
  'aac',
  ...common,
  '-f',
  'adts',
  '-flush_packets',
  '1',
  'pipe:1',
];

/** Extracts Opus frames from RTP packets of the converter's SSRC. Ignores other datagrams on the port. */
export class OpusRtpReader {
  #index = 0;
  #sequence = 0;
  readonly #ssrc: number;
  readonly #onFrame: FrameSink;

  constructor(ssrc: number, onFrame: FrameSink) {
    this.#ssrc = ssrc;
    this.#onFrame = onFrame;
  }

  push(datagram: Buffer): void {
    if (isRtcp(datagram)) return;
    try {
      const { ssrc, sequence, payload } = parseRtpPacket(datagram);
      if (ssrc !== this.#ssrc || payload.length === 0) return;
      this.#index += rtpSequenceDistance(sequence, this.#sequence);
      this.#sequence = sequence;
      this.#onFrame(payload, this.#index * opusFrameMs - opusDelayMs);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
  }
}

/** Extracts AAC access units from ADTS bytes, however these are split. */
export class AdtsReader {
  #rest = Buffer.alloc(0) as Buffer;
  #index = 0;
  readonly #onFrame: FrameSink;

  constructor(onFrame: FrameSink) {
    this.#onFrame = onFrame;
  }

  push(data: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, data]) : data;
    let offset = 0;
    while (offset + 7 <= bytes.length) {
      const header = parseAdtsHeader(bytes, offset);
      if (!header) {
        offset++;
        continue;
      }
      const end = offset + header.frameSize;
      if (end > bytes.length) break;
      const audioMs = ((this.#index++ * aacFrameSamples - aacDelaySamples) * 1000) / sampleRate;
      this.#onFrame(Buffer.from(bytes.subarray(offset + header.headerSize, end)), audioMs);
      offset = end;
    }
    this.#rest = Buffer.from(bytes.subarray(Math.max(offset, bytes.length - maxAdtsBytes)));
  }
}
