// What a playback engine (mpegts.js, hls.js, the browser itself, xgplayer) offers to the live session that drives it.

/**
 * Why there is no video. `media-path`: WebRTC found no network path for the media. All problems except `codec`, `browser` and `not-allowed`
 * are retried.
 */
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

/** Metrics of the running playback; undefined while unknown. */
export interface PlaybackFacts {
  videoCodec?: string | undefined;
  audioCodec?: string | undefined;
  bitrateKbps?: number | undefined;
  /** Bytes of media received since the playback began, for players that receive it in pieces. */
  receivedBytes?: number | undefined;
  /** Round-trip time to the server. */
  rttMs?: number | undefined;
  /** Lost packets, 0 to 100. */
  lossPercent?: number | undefined;
  jitterBufferMs?: number | undefined;
}

/**
 * How latency is measured. `buffer`: media received but not shown yet; `live-edge`: distance to the newest segment of the playlist;
 * `wall-clock`: difference between the server's time stamp in the stream and this device's clock, which must be correct; `jitter-buffer`:
 * delay of the WebRTC player plus half a round trip.
 */
export interface LatencyMeasure {
  kind: 'buffer' | 'live-edge' | 'wall-clock' | 'jitter-buffer';
  seconds: number;
}

export interface PlaybackEvents {
  onProblem(problem: PlaybackProblem): void;
  onFacts(facts: PlaybackFacts): void;
}

/** If sleep or a pause left more than `maxSeconds` of media in the buffer, playback skips all but `keepSeconds`. */
export interface BacklogRule {
  readonly maxSeconds: number;
  readonly keepSeconds: number;
}

/** The rule for streams that arrive frame by frame. */
export const frameBacklog: BacklogRule = { maxSeconds: 8, keepSeconds: 1 };
/** The rule for streams that arrive in segments; one segment may take 10 s. */
export const segmentBacklog: BacklogRule = { maxSeconds: 24, keepSeconds: 12 };

/** A running playback. `destroy` is idempotent, closes the connection and leaves the video element empty. */
export interface Playback {
  readonly video: HTMLVideoElement;
  /** When to skip buffered media; absent for engines that stay near the live edge themselves. */
  readonly backlog?: BacklogRule;
  latency(): LatencyMeasure | undefined;
  /** The seekable part of the stream, in times of `video.currentTime`, seconds; omitted for streams without rewind. */
  range?(): { readonly start: number; readonly end: number } | undefined;
  destroy(): void;
}

export type StartPlayback = (events: PlaybackEvents) => Promise<Playback>;

/** Seconds of buffered media; undefined before the first frame. */
export function bufferAhead(video: HTMLVideoElement): number | undefined {
  const { buffered, currentTime } = video;
  if (buffered.length === 0) return undefined;
  return Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}

/** Maximum latency that is plausible, seconds: a larger difference means that one of the clocks is wrong. */
const maxPlausibleLatencySeconds = 180;

/** The wall-clock latency of a frame with the time stamp `stampMs`; undefined if one of the clocks must be wrong. */
export function wallClockLatency(stampMs: number, nowMs: number): LatencyMeasure | undefined {
  const seconds = (nowMs - stampMs) / 1000;
  return seconds >= 0 && seconds <= maxPlausibleLatencySeconds ? { kind: 'wall-clock', seconds } : undefined;
}

/** Maps the HTTP status of a failed request for a stream. */
export function problemOfHttpStatus(status: number): PlaybackProblem {
  if (status === 404) return { kind: 'not-live' };
  if (status === 401 || status === 403) return { kind: 'not-allowed' };
  return { kind: 'network', detail: status > 0 ? `HTTP ${status}` : '' };
}
