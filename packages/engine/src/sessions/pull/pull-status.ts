// Status of each ordered pull for the host: one state, and one reason while no media arrives.

/** A stream that is pulled from another server and published here; one pull per `id`. */
export type { PullOrder } from '@srs-stack/process/pull-orders.ts';

/**
 * `connecting`: until the first media. `pulling`. `retrying`: failed; reconnects in `retryInMs`, or is reconnecting. `waiting`: on demand,
 * without viewers.
 */
type PullState = 'connecting' | 'pulling' | 'retrying' | 'waiting';

export type PullReason =
  | 'none'
  | 'address-refused'
  | 'codec-unsupported'
  | 'connection-closed'
  | 'connection-refused'
  | 'failed'
  | 'host-unknown'
  | 'input-invalid'
  | 'network-unreachable'
  | 'not-authorized'
  | 'not-found'
  | 'publish-rejected'
  | 'stalled'
  | 'timeout'
  | 'tls-failed';

/** The exact failure, so that the host can translate it; `none`: only the detail describes it. */
export type PullFault =
  | 'none'
  | 'address-invalid'
  | 'credentials-missing'
  | 'credentials-refused'
  | 'leads-inward'
  | 'needs-ffmpeg'
  | 'no-datagrams'
  | 'no-media'
  | 'no-tcp'
  | 'no-udp'
  | 'not-connected'
  | 'not-local'
  | 'not-mpegts'
  | 'passphrase-refused'
  | 'playlist-ended'
  | 'playlist-invalid'
  | 'redirects-elsewhere'
  | 'redirects-in-circle'
  | 'redirects-unencrypted'
  | 'scheme-unknown'
  | 'sender-refused'
  | 'sends-nothing'
  | 'udp-blocked'
  | 'udp-off'
  | 'udp-port-taken'
  | 'video-unsupported';

export interface PullFailure {
  readonly reason: PullReason;
  /** Message of the source or the system, in English, secrets masked; may be empty. */
  readonly detail: string;
  /** `none` by default. */
  readonly fault?: PullFault;
  /** Subject of the fault, such as the names of codecs. */
  readonly subject?: string;
}

/** Values of the open connection, or of the last one. */
export interface PullMetrics {
  readonly receivedBytes: number;
  /** Video frames. */
  readonly receivedFrames: number;
  /** RTP packets that never arrived. */
  readonly lostPackets: number;
  /** Codecs of the source that are dropped; '' when all are supported. */
  readonly leftOut: string;
}

export interface PullSnapshot extends PullFailure, PullMetrics {
  readonly id: string;
  readonly fault: PullFault;
  readonly subject: string;
  /** `app/stream`. */
  readonly streamUrl: string;
  readonly state: PullState;
  /** Time until the next attempt, milliseconds; 0 unless `retrying`. */
  readonly retryInMs: number;
  /** Connections opened after the first one. */
  readonly reconnects: number;
  /** Time since the attempt started, and since its first media, milliseconds; undefined before. */
  readonly attemptMs: number | undefined;
  readonly pullingMs: number | undefined;
}

export const noMetrics: PullMetrics = { receivedBytes: 0, receivedFrames: 0, lostPackets: 0, leftOut: '' };
