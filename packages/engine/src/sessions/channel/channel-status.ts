// Status of each channel for the host.

/** `waiting`: its stream is not published, because of `reason`. */
type ChannelState = 'on-air' | 'waiting';

export interface ChannelEvent {
  /** Increases by one per event of a channel. */
  readonly number: number;
  /** Wall clock, milliseconds since 1970. */
  readonly atMs: number;
  /** Id of the entry; '' for the filler, and for a live stream that the operator has put on the air. */
  readonly entry: string;
  readonly file: string;
  /**
   * `started`: its first frame was sent. `failed`: it could not be read and was skipped. `live`: a live stream is on the air. `absent`: the
   * live stream was not published at its scheduled time.
   */
  readonly kind: 'started' | 'failed' | 'live' | 'absent';
  /** Cause of the failure; for live streams, the stream. */
  readonly detail: string;
  /** Start position in the file, milliseconds. */
  readonly offsetMs: number;
}

export interface ChannelSnapshot {
  readonly id: string;
  /** `app/stream`. */
  readonly streamUrl: string;
  readonly state: ChannelState;
  /** Reason for waiting; '' on the air. */
  readonly reason: string;
  /** The live stream on the air in place of files, `app/stream`; '' without one. */
  readonly live: string;
  /** A scheduled live stream that is not published now; '' without one. */
  readonly awaited: string;
  /** Id of the newest takeover that has ended: its stream has ended or was never published. */
  readonly overTakeover: string;
  /** The newest events, oldest first. */
  readonly events: readonly ChannelEvent[];
}
