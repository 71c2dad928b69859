// Interface of on-demand streams for viewer sessions.
import type { StreamKey } from '@srs-stack/media/stream-key.ts';

/** Maximum wait of a viewer for an on-demand stream, milliseconds. Cameras start within a few seconds, and players wait at least ten. */
export const demandWaitMs = 8_000;

export interface DemandSource {
  has(key: StreamKey): boolean;
  /** Requests the stream for a viewer. @param forMs the viewer repeats the request within this time. */
  request(key: StreamKey, forMs: number): void;
  /** Whether a viewer that has requested the stream should wait. */
  isStarting(key: StreamKey): boolean;
  /** Calls back when `isStarting` may have changed. Returns a function that unsubscribes. */
  onSettled(key: StreamKey, callback: () => void): () => void;
}
