// Parses the body of a video tag or RTMP video message. Returns views, not copies.
//
//   legacy:   4 frame type | 4 codec id | 8 AVC packet type | 24 composition time | data
//   enhanced: 1 | 3 frame type | 4 packet type | 32 FourCC | [24 composition time] | data
import type { VideoCodec } from '../../track.ts';
import { BodyCursor } from './body-cursor.ts';
import { type EnhancedHead, type OtherTracks, readEnhancedHead } from './enhanced-head.ts';
import {
  avcPacketType,
  enhancedVideoFlag,
  frameType,
  packetType,
  printable,
  UnsupportedCodecError,
  unsupportedLegacyCodec,
  videoCodecId,
  videoFourCc,
} from './flv-format.ts';

export type VideoBody =
  | { readonly kind: 'config'; readonly codec: VideoCodec; readonly data: Buffer }
  | {
      readonly kind: 'frame';
      readonly codec: VideoCodec;
      readonly keyframe: boolean;
      /** Presentation minus decode time, milliseconds, signed. */
      readonly compositionMs: number;
      readonly data: Buffer;
    };

const codecsByFourCc = new Map(Object.entries(videoFourCc).map(([codec, fourCc]) => [fourCc, codec as VideoCodec]));
const codecsById = new Map(Object.entries(videoCodecId).map(([codec, id]) => [id as number, codec as VideoCodec]));

/**
 * Undefined for a body without media: empty, command, end of sequence, metadata, or only dropped tracks (the ids of dropped tracks are
 * added to `others`). Throws `ProtocolError`.
 */
export function parseVideoBody(body: Buffer, others: OtherTracks): VideoBody | undefined {
  if (body.length === 0) return undefined;
  return body[0]! & enhancedVideoFlag ? parseEnhanced(body, others) : parseLegacy(body);
}

function parseLegacy(body: Buffer): VideoBody | undefined {
  const cursor = new BodyCursor(body);
  const first = cursor.uint8();
  if (first >> 4 === frameType.command) return undefined;
  const codec = codecsById.get(first & 0x0f);
  if (!codec) throw unsupportedLegacyCodec('video', first & 0x0f);
  const type = cursor.uint8();
  if (type === avcPacketType.endOfSequence) return undefined; // some encoders omit the composition time
  const compositionMs = cursor.int24();
  if (type === avcPacketType.sequenceHeader) return { kind: 'config', codec, data: cursor.rest() };
  if (type !== avcPacketType.frame) return undefined;
  return { kind: 'frame', codec, keyframe: isKeyframe(first >> 4), compositionMs, data: cursor.rest() };
}

function parseEnhanced(body: Buffer, others: OtherTracks): VideoBody | undefined {
  const cursor = new BodyCursor(body);
  const first = cursor.uint8();
  const type = (first >> 4) & 0x07;
  const head = readEnhancedHead(cursor, first & 0x0f, packetType.videoMultitrack, others);
  if (type === frameType.command || !head) return undefined;
  return toVideoBody(head, isKeyframe(type));
}

function toVideoBody({ type, fourCc, data }: EnhancedHead, keyframe: boolean): VideoBody | undefined {
  const codec = codecsByFourCc.get(fourCc as (typeof videoFourCc)[VideoCodec]);
  if (!codec) throw new UnsupportedCodecError('video', printable(fourCc));
  if (type === packetType.sequenceStart) return { kind: 'config', codec, data };
  if (type === packetType.codedFramesX) return { kind: 'frame', codec, keyframe, compositionMs: 0, data };
  if (type !== packetType.codedFrames) return undefined;
  if (codec !== 'h264' && codec !== 'h265') return { kind: 'frame', codec, keyframe, compositionMs: 0, data };
  const cursor = new BodyCursor(data);
  return { kind: 'frame', codec, keyframe, compositionMs: cursor.int24(), data: cursor.rest() };
}

function isKeyframe(type: number): boolean {
  return type === frameType.key || type === frameType.generatedKey;
}
