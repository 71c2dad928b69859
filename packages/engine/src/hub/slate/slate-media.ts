// A prepared slate: packets that replace an unavailable source whose codecs and video size match.
import type { AudioPacket, VideoPacket } from '@srs-stack/media/packet.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { type AudioTrack, isSameTrack, type VideoTrack } from '@srs-stack/media/track.ts';
import type { PresentTracks } from '../stream-view.ts';

/** Packets of one track, played in a loop. The audio restarts with each round of the video. */
export interface SlateLoop<P extends VideoPacket | AudioPacket> {
  /** Packets in decode order. The first packet has time 0; the first video packet is a keyframe. */
  readonly packets: readonly P[];
  /** Duration of a round, milliseconds. */
  readonly durationMs: number;
}

export interface SlateMedia {
  readonly video: SlateLoop<VideoPacket> | undefined;
  readonly audio: SlateLoop<AudioPacket> | undefined;
}

export interface SlateRule {
  /** The slate starts after this silence of the source, milliseconds. */
  readonly afterMs: number;
  /** The slate and the stream end after this time, milliseconds. */
  readonly longestMs: number;
  /** Undefined without a slate, and until the slate is loaded. */
  readonly media: SlateMedia | undefined;
  /** Name of the slate's file, without the folder; undefined without `media`. */
  readonly fileName?: string | undefined;
  /** A stream that is shown instead of the slate while that stream is live here. */
  readonly backup?: StreamKey | undefined;
}

/** Returns the tracks of the slate that a source needs; undefined without a source, or when formats differ or a track is missing. */
export function matchSlate({ video, audio }: SlateMedia, source: PresentTracks): SlateMedia | undefined {
  if (!source.video && !source.audio) return undefined;
  if (source.video && !(video && isVideoLike(video.packets[0]!.track, source.video))) return undefined;
  if (source.audio && !(audio && isAudioLike(audio.packets[0]!.track, source.audio))) return undefined;
  return {
    video: source.video && video && withTrack(video, source.video, isSameTrack),
    audio: source.audio && audio && withTrack(audio, source.audio, isSameProfile),
  };
}

/** Returns the loop with the source's track if both tracks are equal, so that readers get no new configuration. */
function withTrack<P extends VideoPacket | AudioPacket>(
  loop: SlateLoop<P>,
  track: P['track'],
  isEqual: (a: P['track'], b: P['track']) => boolean,
): SlateLoop<P> {
  if (!isEqual(loop.packets[0]!.track, track)) return loop;
  return { ...loop, packets: loop.packets.map((packet) => ({ ...packet, track })) };
}

function isVideoLike(slate: VideoTrack, source: VideoTrack): boolean {
  return slate.codec === source.codec && slate.width === source.width && slate.height === source.height;
}

function isAudioLike(slate: AudioTrack, source: AudioTrack): boolean {
  return slate.codec === source.codec && slate.sampleRate === source.sampleRate && slate.channels === source.channels;
}

/** Compares only the profile: AAC configurations may differ in bytes without effect, such as a sync extension for "no SBR". */
function isSameProfile(slate: AudioTrack, source: AudioTrack): boolean {
  return slate.profile === source.profile;
}
