// What the host can read of each ordered pull: one state, and one reason while no media comes.

/** A stream that is fetched from another server and published here; one pull per `id`. */
export type { PullOrder } from '@srs-stack/process/pull-orders.ts';

/**
 * `connecting`: up to the first media. `pulling`. `retrying`: failed, connects again in `retryInMs`, or just now. `waiting`: on demand, and
 * nobody watches.
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

/** What exactly failed, so that the host can translate it; `none`: the detail is all there is. */
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
  /** What the source or the system reports, in English, secrets masked; may be empty. */
  readonly detail: string;
  /** `none` when left out. */
  readonly fault?: PullFault;
  /** What the fault is about, such as the names of codecs. */
  readonly subject?: string;
}

/** Of the connection that is open, or of the last one. */
export interface PullFigures {
  readonly receivedBytes: number;
  /** Video frames. */
  readonly receivedFrames: number;
  /** RTP packets that never came. */
  readonly lostPackets: number;
  /** Codecs of the source that are left out; '' when all are carried. */
  readonly leftOut: string;
}

export interface PullSnapshot extends PullFailure, PullFigures {
  readonly id: string;
  readonly fault: PullFault;
  readonly subject: string;
  /** `app/stream`. */
  readonly streamUrl: string;
  readonly state: PullState;
  /** To the next attempt, milliseconds; 0 unless `retrying`. */
  readonly retryInMs: number;
  /** Connections opened after the first one. */
  readonly reconnects: number;
  /** Since the attempt began, and since the first media of it, milliseconds; undefined before. */
  readonly attemptMs: number | undefined;
  readonly pullingMs: number | undefined;
}

export const noFigures: PullFigures = { receivedBytes: 0, receivedFrames: 0, lostPackets: 0, leftOut: '' };
