// Parses the body of an audio tag or RTMP audio message. Returns views, not copies.
//
//   legacy:   4 sound format | 2 rate | 1 size | 1 stereo | AAC only: 8 packet type | data
//   enhanced: 4 format = 9 | 4 packet type | 32 FourCC | data
import type { AudioHint } from '../../codecs/audio-track.ts';
import type { AudioCodec } from '../../track.ts';
import { BodyCursor } from './body-cursor.ts';
import { type OtherTracks, readEnhancedHead } from './enhanced-head.ts';
import {
  aacPacketType,
  audioFourCc,
  packetType,
  printable,
  soundFormat,
  UnsupportedCodecError,
  unsupportedLegacyCodec,
} from './flv-format.ts';

export interface AudioBody {
  readonly kind: 'config' | 'frame';
  readonly codec: AudioCodec;
  readonly data: Buffer;
  readonly hint?: AudioHint;
}

const codecsByFourCc = new Map(
  Object.entries(audioFourCc).map(([codec, fourCc]) => [fourCc as string, codec as AudioCodec]),
);
const codecsByFormat = new Map<number, AudioCodec>([
  [soundFormat.mp3, 'mp3'],
  [soundFormat.mp3At8kHz, 'mp3'],
  [soundFormat.pcma, 'pcma'],
  [soundFormat.pcmu, 'pcmu'],
]);
/** SoundRate, Hz. */
const soundRates = [5512, 11_025, 22_050, 44_100] as const;
/** Sample rate of G.711, and of MP3 with format 14, Hz. */
const telephoneRate = 8000;

/**
 * Undefined for a body without media: empty, end of sequence, channel layout, or only dropped tracks (the ids of dropped tracks are added
 * to `others`). Throws `ProtocolError`.
 */
export function parseAudioBody(body: Buffer, others: OtherTracks): AudioBody | undefined {
  if (body.length === 0) return undefined;
  const cursor = new BodyCursor(body);
  const first = cursor.uint8();
  const format = first >> 4;
  if (format === soundFormat.enhanced) return parseEnhanced(cursor, first & 0x0f, others);
  if (format === soundFormat.aac) return parseAac(cursor);
  const codec = codecsByFormat.get(format);
  if (!codec) throw unsupportedLegacyCodec('audio', format);
  const rate = format === soundFormat.mp3 ? soundRates[((first >> 2) & 3) as 0 | 1 | 2 | 3] : telephoneRate;
  return { kind: 'frame', codec, data: cursor.rest(), hint: { sampleRate: rate, channels: (first & 1) + 1 } };
}

function parseAac(cursor: BodyCursor): AudioBody | undefined {
  const type = cursor.uint8();
  if (type !== aacPacketType.sequenceHeader && type !== aacPacketType.frame) return undefined;
  return { kind: type === aacPacketType.sequenceHeader ? 'config' : 'frame', codec: 'aac', data: cursor.rest() };
}

function parseEnhanced(cursor: BodyCursor, firstType: number, others: OtherTracks): AudioBody | undefined {
  const head = readEnhancedHead(cursor, firstType, packetType.audioMultitrack, others);
  if (!head) return undefined;
  const codec = codecsByFourCc.get(head.fourCc);
  if (!codec) throw new UnsupportedCodecError('audio', printable(head.fourCc));
  if (head.type === packetType.sequenceStart) return { kind: 'config', codec, data: head.data };
  return head.type === packetType.codedFrames ? { kind: 'frame', codec, data: head.data } : undefined;
}
