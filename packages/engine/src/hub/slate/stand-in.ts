// The substitute on the air for an unavailable source: a slate, or a backup source.
import type { Packet } from '@srs-stack/media/packet.ts';

export interface StandIn {
  /** Start time on the air, monotonic milliseconds. */
  readonly sinceMs: number;
  readonly hasVideo: boolean;
  /** Packets that are due, in decode order. */
  take(now: number): Packet[];
  /** It is off the air and will not return. */
  close(): void;
}
