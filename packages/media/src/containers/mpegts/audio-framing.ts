// Prefixes of audio frames in a PES packet. AAC has an ADTS header; MP3 has no prefix. Opus has a control header ("Opus in MPEG-TS", a
// private mapping).
import { parseAacConfig } from '../../codecs/aac.ts';
import { createAdtsTemplate } from '../../codecs/adts.ts';
import { parseMp3Header } from '../../codecs/mp3.ts';
import { opusPacketDurationUs } from '../../codecs/opus.ts';
import type { AudioTrack } from '../../track.ts';
import { tsStreamType } from './ts-packet.ts';

export interface AudioFraming {
  readonly streamType: number;
  readonly streamId: number;
  readonly descriptors: Buffer;
  /** Size of the prefix for a frame of `size` bytes; -1 when the frame cannot be carried. */
  prefixSize(size: number): number;
  writePrefix(target: Buffer, size: number): void;
  /** Duration of the frame, milliseconds; 0 when unknown. */
  durationMs(frame: Buffer): number;
}

/** Longest prefix, bytes. Sufficient for ADTS with a program config element of 255 comment bytes, and for an Opus frame of 60 kB. */
export const maxAudioPrefixSize = 512;
const audioStreamId = 0xc0;
const privateStreamId = 0xbd;
const noDescriptors = Buffer.alloc(0);
/** Sample rates below this are MPEG-2 audio, Hz. */
const lowestMpeg1Rate = 32_000;

/** Returns undefined when MPEG-TS cannot carry the track, or while the codec configuration is missing. */
export function createAudioFraming(track: AudioTrack): AudioFraming | undefined {
  if (track.codec === 'aac') return aacFraming(track);
  if (track.codec === 'opus') return opusFraming(track);
  return track.codec === 'mp3' ? mp3Framing(track) : undefined;
}

/** Whether MPEG-TS can carry this codec. A track can still have an unsupported configuration. */
export function isTsAudioCodec(codec: AudioTrack['codec']): boolean {
  return codec === 'aac' || codec === 'opus' || codec === 'mp3';
}

function aacFraming({ config }: AudioTrack): AudioFraming | undefined {
  const aac = parseAacConfig(config);
  const template = aac && createAdtsTemplate(aac);
  if (template === undefined) return undefined;
  const frameMs = (aac!.frameSamples * 1000) / aac!.coreSampleRate;
  return {
    streamType: tsStreamType.aacAdts,
    streamId: audioStreamId,
    descriptors: noDescriptors,
    prefixSize: (size) => (size > template.maxAccessUnitSize ? -1 : template.bytes.length),
    writePrefix: (target, size) => template.writeTo(target, 0, size),
    durationMs: () => frameMs,
  };
}

function mp3Framing({ sampleRate }: AudioTrack): AudioFraming {
  const isMpeg2 = sampleRate > 0 && sampleRate < lowestMpeg1Rate;
  return {
    streamType: isMpeg2 ? tsStreamType.mpeg2Audio : tsStreamType.mpeg1Audio,
    streamId: audioStreamId,
    descriptors: noDescriptors,
    prefixSize: () => 0,
    writePrefix: () => {},
    durationMs(frame) {
      const header = parseMp3Header(frame);
      return header === undefined ? 0 : (header.frameSamples * 1000) / header.sampleRate;
    },
  };
}

/** Control header: 11-bit prefix 3FF, no flags. The size follows as a sum of bytes, all 255 except the last. */
function opusFraming({ channels }: AudioTrack): AudioFraming {
  const registration = [5, 4, 0x4f, 0x70, 0x75, 0x73];
  const extension = [0x7f, 2, 0x80, channels || 2];
  return {
    streamType: tsStreamType.privatePes,
    streamId: privateStreamId,
    descriptors: Buffer.from([...registration, ...extension]),
    prefixSize: (size) => (size / 255 > maxAudioPrefixSize - 3 ? -1 : 3 + Math.floor(size / 255)),
    writePrefix(target, size) {
      target[0] = 0x7f;
      target[1] = 0xe0;
      const whole = Math.floor(size / 255);
      target.fill(255, 2, 2 + whole);
      target[2 + whole] = size % 255;
    },
    durationMs: (frame) => opusPacketDurationUs(frame) / 1000,
  };
}
