// What is on air instead of an unavailable source: a slate, a backup source or a spare encoder.
import type { Packet } from '@srs-stack/media/packet.ts';

export interface StandIn {
  /** Monotonic milliseconds. */
  readonly sinceMs: number;
  readonly hasVideo: boolean;
  /** True for a spare encoder, because viewers still see the programme of the stream. */
  readonly isEncoder?: boolean;
  take(now: number): Packet[];
  /** Called after the end of the substitute. */
  close(): void;
}
