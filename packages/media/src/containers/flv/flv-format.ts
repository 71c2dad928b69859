// Constants of FLV (Adobe Flash Video File Format 10.1, annex E) and Enhanced RTMP (veovera v1, v2).
import { ProtocolError } from '../../protocol-error.ts';

/** Tag types of FLV, message types of RTMP. */
export const tagType = { audio: 8, video: 9, script: 18 } as const;

/** Sizes of the tag header, and of the trailer with the previous tag size, bytes. */
export const tagHeaderBytes = 11;
export const tagTrailerBytes = 4;

/** Legacy video codec ids. Many encoders use 12 for HEVC without Enhanced RTMP. */
export const videoCodecId = { h264: 7, h265: 12 } as const;
/** Frame types of a video body. */
export const frameType = { key: 1, inter: 2, generatedKey: 4, command: 5 } as const;
/** AVCPacketType. */
export const avcPacketType = { sequenceHeader: 0, frame: 1, endOfSequence: 2 } as const;

/** Legacy sound formats. 9 announces an Enhanced RTMP body. */
export const soundFormat = { mp3: 2, pcma: 7, pcmu: 8, enhanced: 9, aac: 10, mp3At8kHz: 14 } as const;
export const aacPacketType = { sequenceHeader: 0, frame: 1 } as const;

/** Packet types of Enhanced RTMP. Audio has no `codedFramesX`, `mpeg2TsSequenceStart` and `metadata`. */
export const packetType = {
  sequenceStart: 0,
  codedFrames: 1,
  sequenceEnd: 2,
  codedFramesX: 3,
  metadata: 4,
  mpeg2TsSequenceStart: 5,
  audioMultitrack: 5,
  videoMultitrack: 6,
  modEx: 7,
} as const;

export const multitrackType = { oneTrack: 0, manyTracks: 1, manyTracksManyCodecs: 2 } as const;

/** Flag in the first byte of a video body in Enhanced RTMP. */
export const enhancedVideoFlag = 0x80;

export const videoFourCc = { h264: 'avc1', h265: 'hvc1', av1: 'av01', vp9: 'vp09', vp8: 'vp08' } as const;
export const audioFourCc = {
  aac: 'mp4a',
  opus: 'Opus',
  mp3: '.mp3',
  ac3: 'ac-3',
  eac3: 'ec-3',
  flac: 'fLaC',
} as const;

/** Names of unsupported legacy codecs, by id. */
const unsupportedVideo: Readonly<Record<number, string>> = {
  ...{ 2: 'Sorenson H.263', 3: 'Screen Video', 4: 'VP6', 5: 'VP6 with alpha', 6: 'Screen Video 2' },
};
const unsupportedAudio: Readonly<Record<number, string>> = {
  ...{ 0: 'PCM', 1: 'ADPCM', 3: 'PCM', 4: 'Nellymoser', 5: 'Nellymoser', 6: 'Nellymoser', 11: 'Speex' },
};

/** Makes a FourCC from a peer safe for logs and pages. */
export function printable(fourCc: string): string {
  return fourCc.replaceAll(/[^ -~]/g, '?');
}

export function unsupportedLegacyCodec(kind: 'video' | 'audio', id: number): UnsupportedCodecError {
  const name = (kind === 'video' ? unsupportedVideo : unsupportedAudio)[id] ?? `${kind} codec ${id}`;
  return new UnsupportedCodecError(kind, name);
}

/** The publisher sends a codec that the hub does not support. */
export class UnsupportedCodecError extends ProtocolError {
  readonly kind: 'video' | 'audio';
  /** Name that encoders use, e.g. `Speex`. */
  readonly codec: string;

  constructor(kind: 'video' | 'audio', codec: string) {
    super('flv', `codec ${codec} is not supported`);
    this.name = 'UnsupportedCodecError';
    this.kind = kind;
    this.codec = codec;
  }
}
