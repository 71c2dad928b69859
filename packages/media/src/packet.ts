// One immutable media unit of the hub: a video or audio frame in the framing of its codec, independent of wire formats.
import type { AudioTrack, VideoTrack } from './track.ts';

interface PacketBase {
  /**
   * Decode and presentation time on the stream's timeline, milliseconds, possibly fractional. Ingest passes the publisher's raw clock;
   * `hub/timeline.ts` unwraps and repairs it before readers receive the packet.
   */
  readonly dtsMs: number;
  readonly ptsMs: number;
  /**
   * Video: length-prefixed NAL units (4-byte AVCC/HVCC) for h264 and h265, OBU stream for av1, frame for vp8/vp9. Audio: one raw AAC access
   * unit (no ADTS), one Opus packet, one MP3 frame. Shared by all readers: never modify it.
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
