// The substitute on the air for an unavailable source: a slate, a backup source or a spare encoder.
import type { Packet } from '@srs-stack/media/packet.ts';

export interface StandIn {
  /** Start time on the air, monotonic milliseconds. */
  readonly sinceMs: number;
  readonly hasVideo: boolean;
  /** True for a spare encoder of the stream: viewers still see the source of the stream. */
  readonly isEncoder?: boolean;
  /** Packets that are due, in decode order. */
  take(now: number): Packet[];
  /** Called when the substitute is off the air and will not return. */
  close(): void;
}
