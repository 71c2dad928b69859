// A prepared slate: packets that replace an unavailable source, with the codecs and size of that source.
import type { AudioPacket, VideoPacket } from '@srs-stack/media/packet.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { type AudioTrack, isSameTrack, type VideoTrack } from '@srs-stack/media/track.ts';
import type { PresentTracks } from '../stream-view.ts';

/** Packets of one kind that repeat without a gap; audio starts again with the video. */
export interface SlateLoop<P extends VideoPacket | AudioPacket> {
  /** Packets in decode order; the first has time 0, and the first video packet is a keyframe. */
  readonly packets: readonly P[];
  /** Duration of one iteration of the loop, milliseconds: the next one starts at this time. */
  readonly durationMs: number;
}

export interface SlateMedia {
  readonly video: SlateLoop<VideoPacket> | undefined;
  readonly audio: SlateLoop<AudioPacket> | undefined;
}

export interface SlateRule {
  /** Silence of the source after which the slate starts, milliseconds. */
  readonly afterMs: number;
  /** Time after which a slate ends together with the stream, milliseconds. */
  readonly longestMs: number;
  /** Undefined without a slate, until it is loaded, or if it cannot be loaded. */
  readonly media: SlateMedia | undefined;
  /** Name of the file of the media, without its folder; undefined without media. */
  readonly fileName?: string | undefined;
  /** The stream that takes over before the slate, while it is live here. */
  readonly backup?: StreamKey | undefined;
}

/** The media of the slate for a source; undefined when their codecs or sizes differ. */
export function matchSlate({ video, audio }: SlateMedia, source: PresentTracks): SlateMedia | undefined {
  if (!source.video && !source.audio) return undefined;
  if (source.video && !(video && isVideoLike(video.packets[0]!.track, source.video))) return undefined;
  if (source.audio && !(audio && isAudioLike(audio.packets[0]!.track, source.audio))) return undefined;
  return {
    video: source.video && video && withTrack(video, source.video, isSameTrack),
    audio: source.audio && audio && withTrack(audio, source.audio, isSameProfile),
  };
}

/** Returns the loop with the source's own track if both are equal, so that readers get no new configuration. */
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

/** AAC configurations may differ in bytes without effect, such as a sync extension for "no SBR". */
function isSameProfile(slate: AudioTrack, source: AudioTrack): boolean {
  return slate.profile === source.profile;
}
