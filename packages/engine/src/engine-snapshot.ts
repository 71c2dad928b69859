// Statistics of a moment, in the engine's own words; the gateway shapes them like SRS.

import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { AudioTrack, VideoTrack } from '@srs-stack/media/track.ts';
import type { RenditionSnapshot } from './hub/audio-renditions.ts';
import type { SessionInfo } from './session-info.ts';

export interface BitrateSnapshot {
  /** Mean of the last 30 s, kbit/s. */
  readonly received30s: number;
  readonly sent30s: number;
}

/** How regularly media comes and how the tracks fit together. */
export interface MediaHealthSnapshot {
  /** Since the last packet of any track, of video, of audio, milliseconds of wall time; 0 before the first. */
  readonly silentMs: number;
  readonly videoSilentMs: number;
  readonly audioSilentMs: number;
  /** Longest pause between two packets in the last minute, milliseconds. */
  readonly longestGapMs: number;
  /** How much the arrival wandered against the media clock in the last 10 s, milliseconds. */
  readonly arrivalSpreadMs: number;
  /** How far the sound is ahead of the picture in media time, mean of 5 s, milliseconds; negative when behind. */
  readonly audioOffsetMs: number;
  /** Media time since the last keyframe, or since the first picture when none came, milliseconds. */
  readonly keyframeAgeMs: number;
  readonly hasKeyframe: boolean;
  readonly hasBFrames: boolean;
  /** Payload only, mean of 5 s. */
  readonly videoKbps: number;
  readonly audioKbps: number;
  /** Frame rate the encoder announced; 0 when it announced none. */
  readonly declaredFps: number;
  /** Timestamp repairs of the last minute. */
  readonly recentRepairs: number;
  /** Packets of the last minute that the publisher's connection lost at first, and those that never came. */
  readonly recentLostPackets: number;
  readonly recentMissingPackets: number;
  /** Messages of the last minute that could not be read and were dropped: video, audio, and others (data, control, aggregates). */
  readonly recentDroppedVideo: number;
  readonly recentDroppedAudio: number;
  readonly recentDroppedOther: number;
}

/** What the HLS segments of a stream are. */
export interface HlsFigures {
  /** Of the largest one listed, and of all together, bits per second (RFC 8216 §4.3.4.2); 0 before the first. */
  readonly peakBps: number;
  readonly averageBps: number;
  /** Names of RFC 6381 with commas between them; '' while one is not known. */
  readonly codecs: string;
}

export interface StreamSnapshot extends StreamKey {
  /** `vid-` and 7 characters; stays while the stream has a publisher or player. */
  readonly id: string;
  readonly tcUrl: string;
  /** Undefined while nobody publishes. */
  readonly publisher: SessionInfo | undefined;
  /** Milliseconds since the publisher was accepted; 0 without one. */
  readonly publishedForMs: number;
  readonly hasMedia: boolean;
  readonly video: VideoTrack | undefined;
  readonly audio: AudioTrack | undefined;
  /** Publisher and players. */
  readonly clients: number;
  /** Players by the way they watch, e.g. `rtmp`, `hls`. */
  readonly viewersByProtocol: Readonly<Record<string, number>>;
  /** Players that lost frames in the last half minute because they were too slow. */
  readonly slowViewers: number;
  /** Video frames since the publisher came. */
  readonly frames: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly kbps: BitrateSnapshot;
  /** Frames per second over the last 5 s. */
  readonly fps: number;
  /** Mean distance of the last keyframes; 0 while unknown. */
  readonly keyframeIntervalMs: number;
  /** Received kbit/s per second, oldest first, at most 60 values. */
  readonly bitrateHistoryKbps: readonly number[];
  /** Timestamp repairs since the publisher came. */
  readonly timestampRepairs: number;
  readonly health: MediaHealthSnapshot;
  /** Figures of the publisher's connection, e.g. SRT round trip and loss; left out by protocols that have none. */
  readonly publisherDetail?: Readonly<Record<string, number | string>>;
  /** Conversions of the sound that run for readers which cannot carry the publisher's. */
  readonly audioConversions?: readonly RenditionSnapshot[];
  /** Left out while HLS is off. */
  readonly hls?: HlsFigures;
}

/** One stream as far as its viewers may know it. */
export interface WatchFacts {
  /** It is published or copied here. */
  readonly isHere: boolean;
  /** Milliseconds since its publisher came; left out for a copy of another gateway's stream. */
  readonly publishedForMs?: number;
  /** Players here, but those of this installation. */
  readonly viewers: number;
  /** Media that can be rewound to, milliseconds; left out where no window is kept. */
  readonly rewindMs?: number;
  /** Which outputs are there and can carry what is published. */
  readonly outputs: Readonly<Record<'whep' | 'flv' | 'lowLatencyHls' | 'hls', boolean>>;
}

export interface ClientSnapshot {
  readonly session: SessionInfo;
  readonly streamId: string;
  readonly publish: boolean;
  readonly aliveMs: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly kbps: BitrateSnapshot;
  /** Frames dropped because the viewer was too slow. */
  readonly droppedFrames: number;
  /** Bytes waiting for this viewer. */
  readonly queuedBytes: number;
  /** Protocol figures, e.g. SRT round trip and loss. */
  readonly detail?: Readonly<Record<string, number | string>>;
}
