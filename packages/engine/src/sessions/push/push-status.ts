// Pushes that the host orders, and the status of each push.

/** An order to send a stream to another server whenever the stream is published here. Each `id` has one push. */
export type { PushOrder } from '@srs-stack/process/push-orders.ts';

/**
 * `waiting`: the stream is not published here. `paused`: connected, but the publisher is disconnected. `retrying`: failed; reconnects in
 * `retryInMs`.
 */
export type PushState = 'waiting' | 'connecting' | 'publishing' | 'paused' | 'retrying';

export type PushReason =
  | 'none'
  | 'address-refused'
  | 'codec-unsupported'
  | 'connection-closed'
  | 'connection-refused'
  | 'failed'
  | 'host-unknown'
  | 'network-unreachable'
  | 'not-authorized'
  | 'publish-rejected'
  | 'stalled'
  | 'timeout'
  | 'tls-failed';

export interface PushFailure {
  readonly reason: PushReason;
  /** Message of the target or the system in English, with masked secrets; may be empty. */
  readonly detail: string;
}

/** Values of the open connection, or of the last connection. */
export interface PushMetrics {
  readonly sentBytes: number;
  /** Frames sent, and frames dropped up to a keyframe, because the target was too slow or a delay buffer was full. */
  readonly sentFrames: number;
  readonly droppedFrames: number;
  /** Duration of the sent media, milliseconds. */
  readonly mediaMs: number;
  readonly queuedBytes: number;
  /** Duration of the frames that the target has not accepted yet, milliseconds. */
  readonly queuedMs: number;
}

/** The latest failure. Kept after a successful reconnect. */
export interface LastPushFailure extends PushFailure {
  readonly agoMs: number;
}

export interface PushSnapshot extends PushFailure, PushMetrics {
  readonly id: string;
  /** `app/stream`. */
  readonly streamUrl: string;
  readonly state: PushState;
  /** Time until the next attempt, milliseconds; 0 in other states than `retrying`. */
  readonly retryInMs: number;
  readonly reconnects: number;
  /** Time since the start of the current attempt, milliseconds. Undefined without a connection. */
  readonly attemptMs: number | undefined;
  /** Time since the target accepted the stream, milliseconds. Undefined before the target has accepted. */
  readonly publishingMs: number | undefined;
  readonly lastFailure: LastPushFailure | undefined;
  /** Time until the delayed stream starts, milliseconds. Undefined for a push without delay, without a publisher and after the start. */
  readonly startsInMs: number | undefined;
}

export const noMetrics: PushMetrics = {
  ...{ sentBytes: 0, sentFrames: 0, droppedFrames: 0, mediaMs: 0 },
  ...{ queuedBytes: 0, queuedMs: 0 },
};
