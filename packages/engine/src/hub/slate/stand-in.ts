// What is on the air instead of a source that is gone: a slate, or a backup source.
import type { Packet } from '@srs-stack/media/packet.ts';

export interface StandIn {
  /** Since when it is on the air, monotonic milliseconds. */
  readonly sinceMs: number;
  readonly hasVideo: boolean;
  /** Packets that are due, in decode order. */
  take(now: number): Packet[];
  /** It is off the air for good. */
  close(): void;
}
