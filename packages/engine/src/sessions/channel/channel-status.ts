// Status of each channel for the host.

/** `waiting`: the stream is not published; see `reason`. */
type ChannelState = 'on-air' | 'waiting';

export interface ChannelEvent {
  /** Increases by one per event of the channel. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Id of the entry; '' for the filler, and for a live stream put on air by the operator. */
  readonly entry: string;
  readonly file: string;
  /**
   * `started`: the first frame was sent. `failed`: unreadable and skipped. `live`: a live stream is on air. `absent`: a scheduled live
   * stream was not published in time.
   */
  readonly kind: 'started' | 'failed' | 'live' | 'absent';
  /** Cause of a failure, or name of a live stream. */
  readonly detail: string;
  readonly offsetMs: number;
}

export interface ChannelSnapshot {
  readonly id: string;
  /** `app/stream`. */
  readonly streamUrl: string;
  readonly state: ChannelState;
  /** Reason for waiting; '' on air. */
  readonly reason: string;
  /** The live stream on air instead of files, `app/stream`; '' if none. */
  readonly live: string;
  /** A scheduled live stream that is not published now; '' if none. */
  readonly awaited: string;
  /** Id of the newest takeover whose stream has ended or was never published. */
  readonly overTakeover: string;
  /** The newest events, oldest first. */
  readonly events: readonly ChannelEvent[];
}
