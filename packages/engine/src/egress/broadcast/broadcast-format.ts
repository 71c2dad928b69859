// The container-specific part of a broadcast: which tracks it carries, and how packets become the bytes that all viewers share.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { AudioCodec } from '@srs-stack/media/track.ts';
import type { Stream } from '../../hub/stream-hub.ts';
import type { StreamView } from '../../hub/stream-view.ts';
import { audioObstacle, type Obstacle } from '../obstacle.ts';
import type { ChunkFacts, SharedChunk } from './shared-chunk.ts';

export interface BroadcastFormat {
  /** Short name for logs. */
  readonly name: string;
  readonly acceptsAudio: readonly AudioCodec[];
  /** False for audio only. */
  readonly acceptsVideo: boolean;
  /** Why the stream cannot be played in this format; undefined when it can. Formats without restrictions omit it. */
  readonly obstacleOf?: (stream: StreamView) => Obstacle | undefined;
  /** `view`: the stream as the broadcast's viewers see it. */
  createMuxer(view: StreamView): BroadcastMuxer;
}

export interface BroadcastMuxer {
  /** Number of bytes that were written and not yet taken. */
  readonly pendingBytes: number;
  /** Whether the header for new viewers is complete. */
  readonly isReady: boolean;
  /** `hasWatchers`: some viewer already has a header, and must get changes of it. */
  write(packet: Packet, hasWatchers: boolean): void;
  writeMetadata?(metadata: StreamMetadata): void;
  /** Called before a keyframe: writes packets that are held for aggregation. */
  flush?(): void;
  onPublisherChange?(): void;
  /** Returns everything written since the last call as one chunk. */
  take(facts: ChunkFacts): SharedChunk;
  /** Header for a viewer whose first chunk starts at this decode time, milliseconds. */
  lead(dtsMs: number): SharedChunk;
}

export function obstacleToFormat(format: BroadcastFormat, stream: Stream | undefined): Obstacle | undefined {
  const known = stream && format.obstacleOf?.(stream);
  return known ?? audioObstacle(stream, format, format.acceptsVideo);
}
