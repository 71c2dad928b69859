// Current statistics in the engine's own format; the gateway converts them to the format of SRS.

import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { AudioTrack, VideoTrack } from '@srs-stack/media/track.ts';
import type { RenditionSnapshot } from './hub/audio-renditions.ts';
import type { SessionInfo } from './session-info.ts';

export interface BitrateSnapshot {
  /** Mean of the last 30 s, kbit/s. */
  readonly received30s: number;
  readonly sent30s: number;
}

/** Regularity of the arriving media and alignment of the tracks. */
export interface MediaHealthSnapshot {
  /** Time since the last packet of any track, of video, of audio, wall-clock milliseconds; 0 before the first. */
  readonly silentMs: number;
  readonly videoSilentMs: number;
  readonly audioSilentMs: number;
  /** Longest pause between two packets in the last minute, milliseconds. */
  readonly longestGapMs: number;
  /** Jitter of the arrival against the media clock in the last 10 s, milliseconds. */
  readonly arrivalSpreadMs: number;
  /** How far audio is ahead of video in media time, mean of 5 s, milliseconds; negative when behind. */
  readonly audioOffsetMs: number;
  /** Media time since the last keyframe, or since the first frame when there was none, milliseconds. */
  readonly keyframeAgeMs: number;
  readonly hasKeyframe: boolean;
  readonly hasBFrames: boolean;
  /** Payload only, mean of 5 s. */
  readonly videoKbps: number;
  readonly audioKbps: number;
  /** Frame rate announced by the encoder; 0 when it announced none. */
  readonly declaredFps: number;
  /** Timestamp repairs of the last minute. */
  readonly recentRepairs: number;
  /** Packets of the last minute that the publisher's connection lost and recovered, and those that were never received. */
  readonly recentLostPackets: number;
  readonly recentMissingPackets: number;
  /** Malformed messages of the last minute that were dropped: video, audio, and others (data, control, aggregates). */
  readonly recentDroppedVideo: number;
  readonly recentDroppedAudio: number;
  readonly recentDroppedOther: number;
}

/** Slates since the start of the engine. */
export interface SlateTotals {
  /** Number of slates that were on the air. */
  readonly shown: number;
  /** Total duration of all slates, milliseconds; active ones count until now. */
  readonly shownMs: number;
}

/** Bandwidth and codecs of a stream's HLS segments. */
export interface HlsMetrics {
  /** Bitrates of the largest listed segment and of all together, bits per second (RFC 8216 §4.3.4.2); 0 before the first. */
  readonly peakBps: number;
  readonly averageBps: number;
  /** Codec names of RFC 6381, separated by commas; '' while one is unknown. */
  readonly codecs: string;
}

/** A connected spare encoder of a stream. */
export interface SpareSnapshot {
  /** 2 or more; the lowest is preferred. */
  readonly priority: number;
  readonly isOnAir: boolean;
}

export interface StreamSnapshot extends StreamKey {
  /** `vid-` and 7 characters; stable while the stream has a publisher or player. */
  readonly id: string;
  readonly tcUrl: string;
  /** Undefined without a publisher. */
  readonly publisher: SessionInfo | undefined;
  /** Milliseconds since the publisher was accepted; 0 without one. */
  readonly publishedForMs: number;
  readonly hasMedia: boolean;
  readonly video: VideoTrack | undefined;
  readonly audio: AudioTrack | undefined;
  /** Publisher and players. */
  readonly clients: number;
  /** Players by protocol, e.g. `rtmp`, `hls`. */
  readonly viewersByProtocol: Readonly<Record<string, number>>;
  /** Players that lost frames in the last half minute because they were too slow. */
  readonly slowViewers: number;
  /** Video frames since the publisher started. */
  readonly frames: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly kbps: BitrateSnapshot;
  /** Frames per second over the last 5 s. */
  readonly fps: number;
  /** Mean of the last keyframe intervals; 0 while unknown. */
  readonly keyframeIntervalMs: number;
  /** Received kbit/s per second, oldest first, at most 60 values. */
  readonly bitrateHistoryKbps: readonly number[];
  /** Timestamp repairs since the publisher started. */
  readonly timestampRepairs: number;
  readonly health: MediaHealthSnapshot;
  /** Name of the slate's file, once it is read; omitted without a slate. */
  readonly slateFile?: string;
  /** Milliseconds since the slate went on air; omitted while the source is. */
  readonly slateForMs?: number;
  /** Milliseconds since the backup source went on air; omitted while it is not. */
  readonly backupForMs?: number;
  /** Spare encoders, the preferred one first; omitted without one. */
  readonly spares?: readonly SpareSnapshot[];
  /** Milliseconds since the last packet of the source, from 500 on; omitted while it sends. */
  readonly silentForMs?: number;
  /** Metrics of the publisher's connection, e.g. SRT round trip and loss; omitted by protocols without them. */
  readonly publisherDetail?: Readonly<Record<string, number | string>>;
  /** Running audio conversions for readers that do not support the publisher's codec. */
  readonly audioConversions?: readonly RenditionSnapshot[];
  /** Omitted while HLS is off. */
  readonly hls?: HlsMetrics;
}

/** Data of one stream for its viewers. */
export interface WatchFacts {
  /** Whether it is published or copied here. */
  readonly isHere: boolean;
  /** Set when the stream is pulled on demand. */
  readonly isOnDemand?: true;
  /** Milliseconds since its publisher started; omitted for a copy of another gateway's stream. */
  readonly publishedForMs?: number;
  /** Players at this gateway. Excludes RTMP players on this machine, which are forwards, transcoders and recorders of this installation. */
  readonly viewers: number;
  /** Media in the rewind window, milliseconds; omitted when there is none. */
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
  /** Frames dropped because the viewer was too slow. */
  readonly droppedFrames: number;
  /** Bytes queued for this viewer. */
  readonly queuedBytes: number;
  /** Priority of a spare encoder, 2 or more; omitted for all other clients. */
  readonly priority?: number;
  /** Protocol metrics, e.g. SRT round trip and loss. */
  readonly detail?: Readonly<Record<string, number | string>>;
}
