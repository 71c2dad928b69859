// Streams that begin when somebody asks for them, for the sessions of viewers.
import type { StreamKey } from '@srs-stack/media/stream-key.ts';

/** Longest wait of a viewer for a stream on demand, milliseconds: cameras start within a few seconds; players wait for at least ten. */
export const demandWaitMs = 8_000;

export interface DemandSource {
  has(key: StreamKey): boolean;
  /** A viewer asks for the stream. `forMs`: it asks again within this time as long as it watches. */
  request(key: StreamKey, forMs: number): void;
  /** Whether a viewer that asked should wait. */
  isStarting(key: StreamKey): boolean;
  /** Calls back when `isStarting` may have changed; returns a function that unsubscribes. */
  onSettled(key: StreamKey, callback: () => void): () => void;
}
