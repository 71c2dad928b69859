// Current statistics of the engine. The gateway converts most of them to the format of the SRS API.

import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { AudioTrack, VideoTrack } from '@srs-stack/media/track.ts';
import type { RenditionSnapshot } from './hub/audio-renditions.ts';
import type { SessionInfo } from './session-info.ts';

export interface BitrateSnapshot {
  /** Mean of the last 30 s, kbit/s. */
  readonly received30s: number;
  readonly sent30s: number;
}

/** Regularity of a publisher's media, and alignment of its tracks. */
export interface MediaHealthSnapshot {
  /** Time since the last packet of any track, of video, and of audio, milliseconds; 0 before the first packet. */
  readonly silentMs: number;
  readonly videoSilentMs: number;
  readonly audioSilentMs: number;
  /** Longest pause between two packets during the last minute, milliseconds. */
  readonly longestGapMs: number;
  /** Jitter of arrival times relative to media time during the last 10 s, milliseconds. */
  readonly arrivalSpreadMs: number;
  /** Media time of audio minus that of video, mean of 5 s, milliseconds. */
  readonly audioOffsetMs: number;
  /** Media time since the last keyframe, milliseconds; before any keyframe, since the first frame. */
  readonly keyframeAgeMs: number;
  readonly hasKeyframe: boolean;
  readonly hasBFrames: boolean;
  /** Kbit/s of payload, mean of 5 s. */
  readonly videoKbps: number;
  readonly audioKbps: number;
  /** Frame rate announced by the encoder; 0 if unknown. */
  readonly declaredFps: number;
  /** Number of timestamp repairs during the last minute. */
  readonly recentRepairs: number;
  /** Lost packets of the last minute as the protocol counts them; SRT includes recovered packets. */
  readonly recentLostPackets: number;
  /** Packets of the last minute that SRT dropped as too late. */
  readonly recentMissingPackets: number;
  /** Malformed messages dropped during the last minute. Other: data, control and aggregate messages. */
  readonly recentDroppedVideo: number;
  readonly recentDroppedAudio: number;
  readonly recentDroppedOther: number;
}

/** Slates since the start of the engine. */
export interface SlateTotals {
  readonly shown: number;
  /** Total duration of all slates, including active slates, milliseconds. */
  readonly shownMs: number;
}

/** Bandwidth and codecs of a stream's HLS segments. */
export interface HlsMetrics {
  /** Highest bitrate of a listed segment, and of all listed segments together (RFC 8216 §4.3.4.2), bit/s; 0 before the first segment. */
  readonly peakBps: number;
  readonly averageBps: number;
  /** RFC 6381 names of the codecs, comma-separated; '' while a codec is unknown. */
  readonly codecs: string;
}

/** A connected spare encoder of a stream. */
export interface SpareSnapshot {
  /** 2 or more; the lowest number is preferred. */
  readonly priority: number;
  readonly isOnAir: boolean;
}

export interface StreamSnapshot extends StreamKey {
  /** `vid-` and 7 characters; stable while the stream has a publisher or player. */
  readonly id: string;
  readonly tcUrl: string;
  readonly publisher: SessionInfo | undefined;
  /** Milliseconds since the publisher was accepted; 0 without a local publisher. */
  readonly publishedForMs: number;
  readonly hasMedia: boolean;
  readonly video: VideoTrack | undefined;
  readonly audio: AudioTrack | undefined;
  /** Publisher and players. */
  readonly clients: number;
  /** Players by protocol, e.g. `rtmp`, `hls`. */
  readonly viewersByProtocol: Readonly<Record<string, number>>;
  /** Players that lost frames during the last half minute because they were too slow. */
  readonly slowViewers: number;
  /** Video frames since the publisher started. */
  readonly frames: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly kbps: BitrateSnapshot;
  /** Frames per second over the last 5 s. */
  readonly fps: number;
  /** Mean of the last keyframe intervals, milliseconds; 0 while unknown. */
  readonly keyframeIntervalMs: number;
  /** Received kbit/s of each second, oldest first, at most 60 seconds. */
  readonly bitrateHistoryKbps: readonly number[];
  /** Timestamp repairs since the publisher started. */
  readonly timestampRepairs: number;
  readonly health: MediaHealthSnapshot;
  /** Name of the slate's file after it was read; absent without a slate. */
  readonly slateFile?: string;
  /** Milliseconds since the slate went on air; absent without one. */
  readonly slateForMs?: number;
  /** Milliseconds since the backup source or spare encoder went on air; absent without one. */
  readonly backupForMs?: number;
  /** Spare encoders, the preferred one first; absent without spare encoders. */
  readonly spares?: readonly SpareSnapshot[];
  /** Milliseconds since the last packet of the publisher, or of the spare encoder on air; absent below 500. */
  readonly silentForMs?: number;
  /** Metrics of the publisher's connection, e.g. SRT round trip, and unsupported media; absent if empty. */
  readonly publisherDetail?: Readonly<Record<string, number | string>>;
  /** Running audio conversions, for readers that do not support the publisher's codec. */
  readonly audioConversions?: readonly RenditionSnapshot[];
  readonly hls?: HlsMetrics;
}

/** What a watch page shows about one stream. */
export interface WatchFacts {
  /** Whether this gateway has the stream, published or copied. */
  readonly isHere: boolean;
  readonly isOnDemand?: true;
  /** Milliseconds since the publisher started; absent for a copy from another gateway. */
  readonly publishedForMs?: number;
  /**
   * Players at this gateway. RTMP players on this machine do not count: they are forwards, transcoders and recorders of this installation.
   */
  readonly viewers: number;
  /** Duration of the media in the rewind window, milliseconds; absent without a window. */
  readonly rewindMs?: number;
  /** Enabled outputs that can carry the published media. */
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
  /** Video frames dropped because the viewer was too slow. */
  readonly droppedFrames: number;
  readonly queuedBytes: number;
  /** Priority of a spare encoder, 2 or more; absent for other clients. */
  readonly priority?: number;
  readonly detail?: Readonly<Record<string, number | string>>;
}
