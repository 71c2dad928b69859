// Statistics of a moment, in the engine's own words; the gateway shapes them like SRS.

import type { RenditionSnapshot } from './hub/audio-renditions.ts';
import type { StreamKey } from './hub/stream-key.ts';
import type { AudioTrack, VideoTrack } from './hub/track.ts';
import type { SessionInfo } from './session-info.ts';

export interface BitrateSnapshot {
  /** Mean of the last 30 s, kbit/s. */
  readonly received30s: number;
  readonly sent30s: number;
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
  /** Figures of the publisher's connection, e.g. SRT round trip and loss; left out by protocols that have none. */
  readonly publisherDetail?: Readonly<Record<string, number | string>>;
  /** Conversions of the sound that run for readers which cannot carry the publisher's. */
  readonly audioConversions?: readonly RenditionSnapshot[];
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
