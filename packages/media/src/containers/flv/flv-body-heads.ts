// The bytes before the payload in FLV bodies. H.264, AAC, MP3 and G.711 use the legacy form, which every player supports. All other codecs
// require Enhanced RTMP.
import type { AudioPacket, Packet, VideoPacket } from '../../packet.ts';
import type { AudioTrack, Track, VideoTrack } from '../../track.ts';
import {
  aacPacketType,
  audioFourCc,
  avcPacketType,
  enhancedVideoFlag,
  frameType,
  packetType,
  soundFormat,
  videoCodecId,
  videoFourCc,
} from './flv-format.ts';

/** Audio flags of legacy AAC: always 44 kHz, 16 bit, stereo, for any configuration (annex E.4.2.1). */
const aacFirstByte = (soundFormat.aac << 4) | 0x0f;
const aacFrameHead = Buffer.from([aacFirstByte, aacPacketType.frame]);

/** Bytes before the packet's payload. */
export function frameHead(packet: Packet): Buffer {
  return packet.track.kind === 'video' ? videoFrameHead(packet as VideoPacket) : audioFrameHead(packet as AudioPacket);
}

/** Complete body of the sequence header. Undefined for a track without configuration, and for a codec without a sequence header. */
export function sequenceHeaderOf(track: Track): Buffer | undefined {
  if (track.config.length === 0) return undefined;
  return track.kind === 'video' ? videoSequenceHeader(track) : audioSequenceHeader(track);
}

function videoFrameHead({ track, keyframe, dtsMs, ptsMs }: VideoPacket): Buffer {
  const type = keyframe ? frameType.key : frameType.inter;
  const compositionMs = Math.round(ptsMs) - Math.round(dtsMs);
  if (track.codec === 'h264') {
    return withInt24([(type << 4) | videoCodecId.h264, avcPacketType.frame], compositionMs);
  }
  const hasComposition = track.codec === 'h265' && compositionMs !== 0;
  const coded = track.codec === 'h265' && !hasComposition ? packetType.codedFramesX : packetType.codedFrames;
  const head = [enhancedVideoFlag | (type << 4) | coded, ...Buffer.from(videoFourCc[track.codec])];
  return hasComposition ? withInt24(head, compositionMs) : Buffer.from(head);
}

function videoSequenceHeader({ codec, config }: VideoTrack): Buffer {
  const head =
    codec === 'h264'
      ? Buffer.from([(frameType.key << 4) | videoCodecId.h264, avcPacketType.sequenceHeader, 0, 0, 0])
      : Buffer.from([
          enhancedVideoFlag | (frameType.key << 4) | packetType.sequenceStart,
          ...Buffer.from(videoFourCc[codec]),
        ]);
  return Buffer.concat([head, config]);
}

function audioFrameHead({ track }: AudioPacket): Buffer {
  if (track.codec === 'aac') return aacFrameHead;
  const legacy = legacySoundFlags(track);
  return legacy === undefined ? enhancedAudioHead(track, packetType.codedFrames) : Buffer.from([legacy]);
}

function audioSequenceHeader(track: AudioTrack): Buffer | undefined {
  if (track.codec === 'aac') {
    return Buffer.concat([Buffer.from([aacFirstByte, aacPacketType.sequenceHeader]), track.config]);
  }
  if (legacySoundFlags(track) !== undefined) return undefined;
  return Buffer.concat([enhancedAudioHead(track, packetType.sequenceStart), track.config]);
}

function enhancedAudioHead({ codec }: AudioTrack, type: number): Buffer {
  const fourCc = audioFourCc[codec as keyof typeof audioFourCc];
  return Buffer.concat([Buffer.from([(soundFormat.enhanced << 4) | type]), Buffer.from(fourCc)]);
}

/** First byte of the body for codecs without a packet type. Undefined for codecs of Enhanced RTMP. */
function legacySoundFlags({ codec, sampleRate, channels }: AudioTrack): number | undefined {
  const flags = 2 | (channels > 1 ? 1 : 0);
  if (codec === 'pcma') return (soundFormat.pcma << 4) | flags;
  if (codec === 'pcmu') return (soundFormat.pcmu << 4) | flags;
  if (codec !== 'mp3') return undefined;
  if (sampleRate === 8000) return (soundFormat.mp3At8kHz << 4) | flags;
  return (soundFormat.mp3 << 4) | (soundRateCode(sampleRate) << 2) | flags;
}

function soundRateCode(sampleRate: number): number {
  if (sampleRate > 0 && sampleRate <= 11_025) return 1;
  return sampleRate > 0 && sampleRate <= 24_000 ? 2 : 3;
}

function withInt24(head: readonly number[], value: number): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + 3);
  bytes.set(head);
  bytes.writeIntBE(clampInt24(value), head.length, 3);
  return bytes;
}

function clampInt24(value: number): number {
  return Math.max(-0x80_0000, Math.min(0x7f_ffff, value));
}
