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
   * live stream was not there at its time.
   */
  readonly kind: 'started' | 'failed' | 'live' | 'absent';
  /** Why it failed; the live stream. */
  readonly detail: string;
  /** Where in the file it began, milliseconds. */
  readonly offsetMs: number;
}

export interface ChannelSnapshot {
  readonly id: string;
  /** `app/stream`. */
  readonly streamUrl: string;
  readonly state: ChannelState;
  /** Why it waits; '' on air. */
  readonly reason: string;
  /** The live stream that is on the air instead of files, `app/stream`; '' without one. */
  readonly live: string;
  /** A live stream that is wanted now and is not there; '' without one. */
  readonly awaited: string;
  /** Id of the newest takeover that is over: its stream has ended or never came. */
  readonly overTakeover: string;
  /** The newest events, oldest first. */
  readonly events: readonly ChannelEvent[];
}
