// What a playback engine (mpegts.js, hls.js, the browser itself, xgplayer) offers to the live session that drives it.

/** Why the picture is not there. `media-path`: WebRTC found no way for the media. All but `codec`, `browser` and `not-allowed` are tried again. */
export type PlaybackProblem =
  | { kind: 'not-live' }
  | { kind: 'ended' }
  | { kind: 'stalled' }
  | { kind: 'network'; detail: string }
  | { kind: 'media'; detail: string }
  | { kind: 'media-path' }
  | { kind: 'not-allowed' }
  | { kind: 'codec'; codec: string }
  | { kind: 'browser' };

/** Figures of the running playback; undefined while unknown. */
export interface PlaybackFacts {
  videoCodec?: string | undefined;
  audioCodec?: string | undefined;
  bitrateKbps?: number | undefined;
  /** Media received since the playback began, where it comes in pieces. */
  receivedBytes?: number | undefined;
  /** To the server and back. */
  rttMs?: number | undefined;
  /** Packets that did not arrive, 0 to 100. */
  lossPercent?: number | undefined;
  jitterBufferMs?: number | undefined;
}

/**
 * How far the picture is behind. `buffer`: media received but not shown yet; `live-edge`: behind the newest segment of
 * the playlist; `wall-clock`: behind the time stamped into the stream by the server, this device's clock being right;
 * `jitter-buffer`: kept back by the WebRTC player, and half a round trip.
 */
export interface LatencyMeasure {
  kind: 'buffer' | 'live-edge' | 'wall-clock' | 'jitter-buffer';
  seconds: number;
}

export interface PlaybackEvents {
  onProblem(problem: PlaybackProblem): void;
  onFacts(facts: PlaybackFacts): void;
}

/** A tab that slept or a viewer who paused leaves a backlog: more than `maxSeconds` is skipped down to `keepSeconds`. */
export interface BacklogRule {
  readonly maxSeconds: number;
  readonly keepSeconds: number;
}

/** Streams that arrive frame by frame. */
export const frameBacklog: BacklogRule = { maxSeconds: 8, keepSeconds: 1 };
/** Streams that arrive in segments, of which one may take 10 s. */
export const segmentBacklog: BacklogRule = { maxSeconds: 24, keepSeconds: 12 };

/** A running playback. `destroy` is idempotent, closes the connection and leaves the video element empty. */
export interface Playback {
  readonly video: HTMLVideoElement;
  /** When to skip media in store; left out where the engine itself keeps near the live edge. */
  readonly backlog?: BacklogRule;
  latency(): LatencyMeasure | undefined;
  /** What of the stream can be gone to, in the times of `video.currentTime`, seconds; left out where there is only now. */
  range?(): { readonly start: number; readonly end: number } | undefined;
  destroy(): void;
}

export type StartPlayback = (events: PlaybackEvents) => Promise<Playback>;

/** Seconds of media received ahead of the picture; undefined before the first. */
export function bufferAhead(video: HTMLVideoElement): number | undefined {
  const { buffered, currentTime } = video;
  if (buffered.length === 0) return undefined;
  return Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}

/** Clocks further apart than this are wrong, not late, seconds. */
const maxPlausibleLatencySeconds = 180;

/** The wall-clock latency of a picture stamped `stampMs`, or undefined when the clocks cannot be right. */
export function wallClockLatency(stampMs: number, nowMs: number): LatencyMeasure | undefined {
  const seconds = (nowMs - stampMs) / 1000;
  return seconds >= 0 && seconds <= maxPlausibleLatencySeconds ? { kind: 'wall-clock', seconds } : undefined;
}

/** Maps an HTTP status met while opening a stream. */
export function problemOfHttpStatus(status: number): PlaybackProblem {
  if (status === 404) return { kind: 'not-live' };
  if (status === 401 || status === 403) return { kind: 'not-allowed' };
  return { kind: 'network', detail: status > 0 ? `HTTP ${status}` : '' };
}
