// Small media for tests: tracks with real configuration, packets with readable times.
import { audioTrackFromConfig } from '../codecs/audio-track.ts';
import { videoTrackFromConfig } from '../codecs/video-track.ts';
import type { AudioPacket, VideoPacket } from '../packet.ts';
import type { AudioTrack, VideoTrack } from '../track.ts';

/** avcC of a 1920x1080 x264 stream, High, level 4.0. */
export const h264Config = Buffer.from(
  '01640028ffe1001a67640028acd94078044fde0220000003002000000643e2c5b2c001000668fba3cb22c0fdf8f800',
  'hex',
);
export const h264Track: VideoTrack = videoTrackFromConfig('h264', h264Config);
/** AAC LC, 48 kHz, stereo. */
export const aacTrack: AudioTrack = audioTrackFromConfig('aac', Buffer.from('1190', 'hex'));

export interface PacketOptions {
  readonly keyframe?: boolean;
  readonly compositionMs?: number;
  readonly track?: VideoTrack;
  readonly bytes?: number;
}

/** A packet with one length-prefixed slice. */
export function video(dtsMs: number, options: PacketOptions = {}): VideoPacket {
  const { keyframe = false, compositionMs = 0, track = h264Track, bytes = 8 } = options;
  const payload = Buffer.alloc(Math.max(5, bytes), 0x55);
  payload.writeUInt32BE(payload.length - 4);
  payload[4] = keyframe ? 0x65 : 0x41;
  return { track, keyframe, dtsMs, ptsMs: dtsMs + compositionMs, payload };
}

export function keyframe(dtsMs: number, options: PacketOptions = {}): VideoPacket {
  return video(dtsMs, { ...options, keyframe: true });
}

export function audio(dtsMs: number, options: { track?: AudioTrack } = {}): AudioPacket {
  return {
    track: options.track ?? aacTrack,
    keyframe: true,
    dtsMs,
    ptsMs: dtsMs,
    payload: Buffer.from([0x21, 0x10, 4]),
  };
}
