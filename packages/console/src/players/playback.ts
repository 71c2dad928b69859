// Interface between a playback engine (mpegts.js, hls.js, the browser, xgplayer) and the live session.

/**
 * Reason for missing video. `media-path`: WebRTC found no network path. All problems are retried except `codec`, `browser` and
 * `not-allowed`.
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
  /** Media bytes received since playback started; only for engines that count bytes. */
  receivedBytes?: number | undefined;
  rttMs?: number | undefined;
  /** Percentage of lost packets, 0 to 100. */
  lossPercent?: number | undefined;
  jitterBufferMs?: number | undefined;
}

/**
 * Method of the latency measurement. `buffer`: media received but not displayed. `live-edge`: distance to the newest segment. `wall-clock`:
 * server timestamp compared with the clock of this device, which must be correct. `jitter-buffer`: delay of the WebRTC jitter buffer plus
 * half a round trip.
 */
export interface LatencyMeasure {
  kind: 'buffer' | 'live-edge' | 'wall-clock' | 'jitter-buffer';
  seconds: number;
}

export interface PlaybackEvents {
  onProblem(problem: PlaybackProblem): void;
  onFacts(facts: PlaybackFacts): void;
}

/** If more than `maxSeconds` of media are buffered, for example after sleep, playback skips all but `keepSeconds`. */
export interface BacklogRule {
  readonly maxSeconds: number;
  readonly keepSeconds: number;
}

/** For protocols that deliver single frames. */
export const frameBacklog: BacklogRule = { maxSeconds: 8, keepSeconds: 1 };
/** For protocols that deliver segments of up to 10 s. */
export const segmentBacklog: BacklogRule = { maxSeconds: 24, keepSeconds: 12 };

/** A running playback. `destroy` is idempotent and closes the connection. */
export interface Playback {
  readonly video: HTMLVideoElement;
  /** Limits of buffered media; absent for engines that stay near the live edge on their own. */
  readonly backlog?: BacklogRule;
  latency(): LatencyMeasure | undefined;
  /** Seekable range in seconds of `video.currentTime`; absent for streams without a rewind window. */
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

/** Maximum plausible latency, seconds. A larger value means that a clock is wrong. */
const maxPlausibleLatencySeconds = 180;

/** Latency of a frame sent at `stampMs`, epoch milliseconds; undefined if implausible. */
export function wallClockLatency(stampMs: number, nowMs: number): LatencyMeasure | undefined {
  const seconds = (nowMs - stampMs) / 1000;
  return seconds >= 0 && seconds <= maxPlausibleLatencySeconds ? { kind: 'wall-clock', seconds } : undefined;
}

/** Maps the HTTP status of a failed media request. */
export function problemOfHttpStatus(status: number): PlaybackProblem {
  if (status === 404) return { kind: 'not-live' };
  if (status === 401 || status === 403) return { kind: 'not-allowed' };
  return { kind: 'network', detail: status > 0 ? `HTTP ${status}` : '' };
}
