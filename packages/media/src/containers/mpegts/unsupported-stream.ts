// Names of video and audio codecs in a program map: those that the demuxer does not support, for the error message, and AC-3 in private PES
// streams.
import type { ElementaryStream } from './program-tables.ts';
import { tsStreamType } from './ts-packet.ts';

/** Dropped video and audio streams of a program. Both lists are empty when no stream is dropped. */
export interface LeftOutStreams {
  readonly unsupported: readonly UnsupportedStream[];
  /** One entry for each additional stream: only one video and one audio stream are carried. */
  readonly extra: readonly ('video' | 'audio')[];
}

export interface UnsupportedStream {
  readonly kind: 'video' | 'audio';
  /** Name that encoders use, e.g. `DTS`. */
  readonly codec: string;
}

/** stream_type, ISO/IEC 13818-1 Table 2-34 and ATSC A/53 Part 3. */
const byType: Readonly<Record<number, UnsupportedStream>> = {
  1: { kind: 'video', codec: 'MPEG-1' },
  2: { kind: 'video', codec: 'MPEG-2' },
  16: { kind: 'video', codec: 'MPEG-4 Part 2' },
  28: { kind: 'audio', codec: 'AAC without ADTS' },
  51: { kind: 'video', codec: 'H.266' },
  130: { kind: 'audio', codec: 'DTS' },
};
/** Descriptors of DVB (ETSI EN 300 468 Table 12) in private PES streams. */
const byDescriptor: Readonly<Record<number, UnsupportedStream>> = {
  106: { kind: 'audio', codec: 'AC-3' },
  122: { kind: 'audio', codec: 'E-AC-3' },
  123: { kind: 'audio', codec: 'DTS' },
};
/** Format identifiers of registration descriptors (ISO/IEC 13818-1 §2.6.8) in private PES streams. */
const byRegistration: Readonly<Record<string, UnsupportedStream>> = {
  'AC-3': { kind: 'audio', codec: 'AC-3' },
  EAC3: { kind: 'audio', codec: 'E-AC-3' },
  DTS1: { kind: 'audio', codec: 'DTS' },
  DTS2: { kind: 'audio', codec: 'DTS' },
  DTS3: { kind: 'audio', codec: 'DTS' },
  BSSD: { kind: 'audio', codec: 'SMPTE 302M PCM' },
  AV01: { kind: 'video', codec: 'AV1' },
};
const registrationTag = 5;

/** Returns undefined for a stream that is not known as video or audio, e.g. subtitles or cue points. */
export function unsupportedStreamOf({ streamType, descriptors }: ElementaryStream): UnsupportedStream | undefined {
  return streamType === tsStreamType.privatePes ? privateCodecOf(descriptors) : byType[streamType];
}

/** The codec according to the descriptors of a private PES stream. */
export function privateCodecOf(descriptors: Buffer): UnsupportedStream | undefined {
  for (let offset = 0; offset + 2 <= descriptors.length; ) {
    const tag = descriptors[offset]!;
    const end = offset + 2 + descriptors[offset + 1]!;
    const registration =
      tag === registrationTag ? descriptors.toString('latin1', offset + 2, Math.min(end, offset + 6)) : '';
    const found = byDescriptor[tag] ?? byRegistration[registration];
    if (found) return found;
    offset = end;
  }
  return undefined;
}
