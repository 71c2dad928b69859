// One immutable media unit of the hub: a video or audio frame in codec framing, independent of wire formats.
import type { AudioTrack, VideoTrack } from './track.ts';

interface PacketBase {
  /**
   * Decode and presentation time, milliseconds, possibly fractional. Ingest passes the publisher's raw timestamps; `hub/timeline.ts` of the
   * engine repairs them before readers receive the packet.
   */
  readonly dtsMs: number;
  readonly ptsMs: number;
  /**
   * Video: length-prefixed NAL units (4-byte AVCC/HVCC) for h264 and h265, OBU stream for av1, frame for vp8/vp9. Audio: one frame in the
   * form of its codec, e.g. an AAC access unit without ADTS, an Opus packet or an MP3 frame. All readers share the payload: never modify
   * it.
   */
  readonly payload: Buffer;
}

export interface VideoPacket extends PacketBase {
  readonly track: VideoTrack;
  /** True for a random access point (IDR, IRAP, key frame). */
  readonly keyframe: boolean;
}

export interface AudioPacket extends PacketBase {
  readonly track: AudioTrack;
  readonly keyframe: true;
}

export type Packet = VideoPacket | AudioPacket;
