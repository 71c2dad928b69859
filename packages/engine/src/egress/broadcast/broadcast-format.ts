// The container format of a broadcast: decides which tracks it carries, and muxes packets into bytes for all viewers.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { AudioCodec } from '@srs-stack/media/track.ts';
import type { Stream } from '../../hub/stream-hub.ts';
import type { StreamView } from '../../hub/stream-view.ts';
import { audioObstacle, type Obstacle } from '../obstacle.ts';
import type { ChunkFacts, SharedChunk } from './shared-chunk.ts';

export interface BroadcastFormat {
  readonly name: string;
  readonly acceptsAudio: readonly AudioCodec[];
  readonly acceptsVideo: boolean;
  /** Why this format cannot carry the stream; undefined if playable. Absent for formats without restrictions. */
  readonly obstacleOf?: (stream: StreamView) => Obstacle | undefined;
  createMuxer(view: StreamView): BroadcastMuxer;
}

export interface BroadcastMuxer {
  /** Number of muxed bytes since the last `take`. */
  readonly pendingBytes: number;
  readonly isReady: boolean;
  /** `hasWatchers`: some viewers already have a header and need changes of the header. */
  write(packet: Packet, hasWatchers: boolean): void;
  writeMetadata?(metadata: StreamMetadata): void;
  /** Called before a keyframe and before a change of the publisher; writes packets that are held for aggregation. */
  flush?(): void;
  onPublisherChange?(): void;
  take(facts: ChunkFacts): SharedChunk;
  /** Header for a viewer whose first chunk starts at this decode time, milliseconds. */
  lead(dtsMs: number): SharedChunk;
}

export function obstacleToFormat(format: BroadcastFormat, stream: Stream | undefined): Obstacle | undefined {
  const known = stream && format.obstacleOf?.(stream);
  return known ?? audioObstacle(stream, format, format.acceptsVideo);
}
