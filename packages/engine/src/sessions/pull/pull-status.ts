// Status of each ordered pull, for the host.

/** A stream to pull from another server and to publish here, identified by `id`. */
export type { PullOrder } from '@srs-stack/process/pull-orders.ts';

/** `connecting`: no media yet. `retrying`: the last attempt failed. `waiting`: on demand, without viewers. */
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

/** The exact failure, which the host can translate. `none`: only the English detail describes the failure. */
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
  /** English message of the source or the system, without secrets; may be empty. */
  readonly detail: string;
  readonly fault?: PullFault;
  /** Details of the fault, such as names of codecs. */
  readonly subject?: string;
}

/** Values of the current connection, or of the last connection. */
export interface PullMetrics {
  readonly receivedBytes: number;
  /** Video frames. */
  readonly receivedFrames: number;
  /** RTP or SRT packets that never arrived. */
  readonly lostPackets: number;
  /** Codecs of the source that are dropped; '' if none. */
  readonly leftOut: string;
}

export interface PullSnapshot extends PullFailure, PullMetrics {
  readonly id: string;
  readonly fault: PullFault;
  readonly subject: string;
  /** `app/stream`. */
  readonly streamUrl: string;
  readonly state: PullState;
  /** Time until the next attempt, milliseconds; 0 in all states except `retrying`. */
  readonly retryInMs: number;
  readonly reconnects: number;
  /**
   * `attemptMs`: milliseconds since the attempt began. `pullingMs`: milliseconds since the first media of the attempt. Each is undefined
   * before its event, and without a connection.
   */
  readonly attemptMs: number | undefined;
  readonly pullingMs: number | undefined;
}

export const noMetrics: PullMetrics = { receivedBytes: 0, receivedFrames: 0, lostPackets: 0, leftOut: '' };
