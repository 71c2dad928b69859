// One attempt to send a stream to a target, for any protocol, from the connection to its end.
import type { PushFailure, PushMetrics } from './push-status.ts';

/** Timeout for the target to accept the stream, milliseconds, from the start of the attempt. */
export const acceptTimeoutMs = 10_000;
/** A target that accepts no queued bytes for this time is disconnected, milliseconds. */
export const stallMs = 10_000;

/**
 * Completed steps of an attempt. `name`: the host name is resolved. `port`: the port accepts connections. `tls`: the certificate is valid.
 * `connect`: the server has accepted the application or, for SRT, the handshake with the stream id.
 */
export type PushStep = 'name' | 'port' | 'tls' | 'connect';

export interface PushConnectionEvents {
  /** Called for each completed step. A redirect or a challenge restarts the steps with `name`. */
  onStep?(step: PushStep): void;
  /** Called before `onReady` with the FourCCs of the video codecs that the target announces; undefined without an announcement. */
  onAnnounced?(fourCcs: ReadonlySet<string> | undefined): void;
  onReady(): void;
  /** Last call: the attempt has failed. The connection is closed or is closing. */
  onFailed(failure: PushFailure): void;
  /** Last call: the stream has ended, and the target was notified. */
  onStreamEnd(): void;
}

export interface PushConnection {
  readonly metrics: PushMetrics;
  /** Applies the time limits; call a few times per second. */
  tick(now: number): void;
  /** Notifies the target of the end of the stream and releases everything. No event follows. Idempotent. */
  close(): void;
}
