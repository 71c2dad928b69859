// Orders of the host for pushes, and the status of each push: one state, and one reason while it is not sending.

/** A stream to send to another server whenever it is published here; one push per `id`. */
export type { PushOrder } from '@srs-stack/process/push-orders.ts';

/**
 * `waiting`: the stream is not published here. `connecting`, `publishing`. `paused`: connected, while the publisher is disconnected.
 * `retrying`: failed, reconnects in `retryInMs`.
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
  /** Message of the target or the system, in English, secrets masked; may be empty. */
  readonly detail: string;
}

/** Values of the open connection, or of the last one. */
export interface PushMetrics {
  readonly sentBytes: number;
  /** Video frames sent, and frames dropped in whole GOPs because the target was too slow. */
  readonly sentFrames: number;
  readonly droppedFrames: number;
  /** Media time that was sent, milliseconds. */
  readonly mediaMs: number;
  /** Bytes that wait for the target. */
  readonly queuedBytes: number;
  /** Media time between the newest frame and the oldest one that the target has not accepted, milliseconds. */
  readonly queuedMs: number;
}

/** The latest failure, also while the push sends again. */
export interface LastPushFailure extends PushFailure {
  /** Time since the failure, milliseconds. */
  readonly agoMs: number;
}

export interface PushSnapshot extends PushFailure, PushMetrics {
  readonly id: string;
  /** `app/stream`. */
  readonly streamUrl: string;
  readonly state: PushState;
  /** Time until the next attempt, milliseconds; 0 unless `retrying`. */
  readonly retryInMs: number;
  /** Connections opened after the first one. */
  readonly reconnects: number;
  /** Time since the current attempt started, and since the target accepted the stream, milliseconds; undefined before. */
  readonly attemptMs: number | undefined;
  readonly publishingMs: number | undefined;
  readonly lastFailure: LastPushFailure | undefined;
  /** Time until the delayed stream starts, milliseconds; undefined without a delay, once it has started, or without a publisher. */
  readonly startsInMs: number | undefined;
}

export const noMetrics: PushMetrics = {
  ...{ sentBytes: 0, sentFrames: 0, droppedFrames: 0, mediaMs: 0 },
  ...{ queuedBytes: 0, queuedMs: 0 },
};
