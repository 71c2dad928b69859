// Status of each channel for the host.

/** `waiting`: its stream is not published, because of `reason`. */
type ChannelState = 'on-air' | 'waiting';

export interface ChannelEvent {
  /** Increases by one per event of a channel. */
  readonly number: number;
  /** Wall clock, milliseconds since 1970. */
  readonly atMs: number;
  /** Id of the entry; '' for the filler. */
  readonly entry: string;
  readonly file: string;
  /** `started`: its first frame was sent. `failed`: it could not be read and was skipped. */
  readonly kind: 'started' | 'failed';
  /** Why it failed. */
  readonly detail: string;
}

export interface ChannelSnapshot {
  readonly id: string;
  /** `app/stream`. */
  readonly streamUrl: string;
  readonly state: ChannelState;
  /** Why it waits; '' on air. */
  readonly reason: string;
  /** The newest events, oldest first. */
  readonly events: readonly ChannelEvent[];
}
