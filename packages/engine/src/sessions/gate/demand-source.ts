// Streams that start on demand, for the sessions of viewers.
import type { StreamKey } from '@srs-stack/media/stream-key.ts';

/** Longest wait of a viewer for a stream on demand, milliseconds: cameras start within a few seconds; players wait for at least ten. */
export const demandWaitMs = 8_000;

export interface DemandSource {
  has(key: StreamKey): boolean;
  /** A viewer requests the stream. `forMs`: it repeats the request within this time while it watches. */
  request(key: StreamKey, forMs: number): void;
  /** Whether a viewer that requested the stream should wait. */
  isStarting(key: StreamKey): boolean;
  /** Calls back when `isStarting` may have changed; returns a function that unsubscribes. */
  onSettled(key: StreamKey, callback: () => void): () => void;
}
