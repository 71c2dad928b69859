// Input of an audio converter: wraps the publisher's frames in a format that FFmpeg reads from a pipe, and measures their duration.
import { parseAacConfig } from '@srs-stack/media/codecs/aac.ts';
import { parseAc3Header } from '@srs-stack/media/codecs/ac3.ts';
import { createAdtsTemplate } from '@srs-stack/media/codecs/adts.ts';
import { parseMp3Header } from '@srs-stack/media/codecs/mp3.ts';
import { opusPacketDurationUs, parseOpusConfig, writeOpusConfig } from '@srs-stack/media/codecs/opus.ts';
import { toFlvMessage, toFlvTag, writeFlvHeader } from '@srs-stack/media/containers/flv/flv-muxer.ts';
import { OggOpusWriter } from '@srs-stack/media/containers/ogg/ogg-opus-writer.ts';
import type { AudioCodec, AudioTrack } from '@srs-stack/media/track.ts';

export interface AudioInput {
  readonly formatArgs: readonly string[];
  readonly header: Buffer;
  /** Wraps a frame; undefined when the format cannot carry the frame. */
  frame(payload: Buffer): Buffer | undefined;
  /** Milliseconds of audio in the frame; 0 when unknown. */
  durationMs(payload: Buffer): number;
}

const nothing = Buffer.alloc(0);
/** G.711, Hz. */
const telephoneRate = 8000;

export const convertibleCodecs: readonly AudioCodec[] = ['aac', 'mp3', 'mp2', 'opus', 'ac3', 'eac3', 'pcma', 'pcmu'];

/** Undefined for a codec outside `convertibleCodecs` or an invalid configuration. */
export function createAudioInput(track: AudioTrack): AudioInput | undefined {
  if (track.codec === 'aac') return aacInput(track);
  if (track.codec === 'opus') return opusInput(track);
  if (track.codec === 'mp3') return mp3Input(track);
  if (track.codec === 'mp2') return framedInput('mp3', mp3DurationMs);
  if (track.codec === 'ac3' || track.codec === 'eac3') return framedInput(track.codec, ac3DurationMs);
  return track.codec === 'pcma' || track.codec === 'pcmu' ? g711Input(track) : undefined;
}

function aacInput({ config }: AudioTrack): AudioInput | undefined {
  const aac = parseAacConfig(config);
  const template = aac && createAdtsTemplate(aac);
  if (!template) return undefined;
  const frameMs = (aac.frameSamples * 1000) / aac.coreSampleRate;
  return {
    formatArgs: ['-f', 'aac'],
    header: nothing,
    durationMs: () => frameMs,
    frame(payload) {
      if (payload.length === 0 || payload.length > template.maxAccessUnitSize) return undefined;
      const framed = Buffer.allocUnsafe(template.bytes.length + payload.length);
      payload.copy(framed, template.writeTo(framed, 0, payload.length));
      return framed;
    },
  };
}

function opusInput({ config, channels }: AudioTrack): AudioInput {
  const writer = new OggOpusWriter();
  const head = Buffer.from(parseOpusConfig(config) ? config : writeOpusConfig(channels || 2));
  // Pre-skip 0: no audio is removed, so the converted audio keeps the publisher's times.
  head.writeUInt16LE(0, 10);
  return {
    formatArgs: ['-f', 'ogg'],
    header: writer.writeHeaders(head),
    durationMs: (payload) => opusPacketDurationUs(payload) / 1000,
    frame: (payload) => writer.writePacket(payload),
  };
}

/** Wraps MP3 in FLV, to avoid delay: FFmpeg's FLV demuxer outputs each tag immediately, but its MP3 demuxer reads 1024 bytes at a time. */
function mp3Input(track: AudioTrack): AudioInput {
  let audioMs = 0;
  return {
    formatArgs: ['-f', 'flv'],
    header: writeFlvHeader({ hasVideo: false, hasAudio: true }),
    durationMs: mp3DurationMs,
    frame(payload) {
      const tag = toFlvTag(toFlvMessage({ track, keyframe: true, dtsMs: audioMs, ptsMs: audioMs, payload }));
      audioMs += mp3DurationMs(payload);
      return tag;
    },
  };
}

function mp3DurationMs(frame: Buffer): number {
  const header = parseMp3Header(frame);
  return header ? (header.frameSamples * 1000) / header.sampleRate : 0;
}

/** For codecs with self-describing frames. */
function framedInput(format: string, durationMs: (frame: Buffer) => number): AudioInput {
  return { formatArgs: ['-f', format], header: nothing, durationMs, frame: (payload) => payload };
}

function ac3DurationMs(frame: Buffer): number {
  const header = parseAc3Header(frame);
  return header ? (header.frameSamples * 1000) / header.sampleRate : 0;
}

function g711Input({ codec, channels }: AudioTrack): AudioInput {
  const channelCount = channels || 1;
  const format = codec === 'pcma' ? 'alaw' : 'mulaw';
  return {
    formatArgs: ['-f', format, '-ar', `${telephoneRate}`, '-ac', `${channelCount}`],
    header: nothing,
    durationMs: (payload) => (payload.length / channelCount / telephoneRate) * 1000,
    frame: (payload) => payload,
  };
}
