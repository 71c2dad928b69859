// One attempt to send a stream to a target over any protocol, from the connection to its end.
import type { PushFailure, PushMetrics } from './push-status.ts';

/** Time for the target to accept the stream, milliseconds, from the start of the attempt. */
export const acceptTimeoutMs = 10_000;
/** A target that accepts none of the queued bytes for this time is disconnected, milliseconds. */
export const stallMs = 10_000;

/**
 * Completed steps of an attempt. `name`: the host name is resolved. `port`: the port accepts connections. `tls`: the certificate is valid.
 * `connect`: the server has accepted the application (for SRT: the handshake with its stream id).
 */
export type PushStep = 'name' | 'port' | 'tls' | 'connect';

export interface PushConnectionEvents {
  /** Called for each completed step; after a redirect or a challenge, the steps start again with `name`. */
  onStep?(step: PushStep): void;
  /** Called before `onReady` with the video codecs that the target announces, by FourCC; undefined when it announces none. */
  onAnnounced?(fourCcs: ReadonlySet<string> | undefined): void;
  /** The target has accepted the stream. */
  onReady(): void;
  /** Last call: the connection is closed, or is being closed. */
  onFailed(failure: PushFailure): void;
  /** Last call: the stream has ended, and the target was notified. */
  onStreamEnd(): void;
}

export interface PushConnection {
  readonly metrics: PushMetrics;
  /** Applies the time limits; call a few times per second. */
  tick(now: number): void;
  /** Notifies the target of the end of the stream and releases everything; no event follows. Idempotent. */
  close(): void;
}
