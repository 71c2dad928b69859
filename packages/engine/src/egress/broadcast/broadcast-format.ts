// What a broadcast needs to know of its container: which tracks it carries, and how packets become the bytes that all viewers
// share. Everything else is the same for all of them.
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
  /** False for sound alone. */
  readonly acceptsVideo: boolean;
  /** Why the stream cannot be played in this format; undefined when it can. Formats that carry everything leave it out. */
  readonly obstacleOf?: (stream: StreamView) => Obstacle | undefined;
  /** `view`: the stream as the broadcast's viewers see it. */
  createMuxer(view: StreamView): BroadcastMuxer;
}

export interface BroadcastMuxer {
  /** Bytes written and not yet taken. */
  readonly pendingBytes: number;
  /** Whether viewers can be given a beginning. */
  readonly isReady: boolean;
  /** `hasWatchers`: somebody has had a lead already, and must be told of changes. */
  write(packet: Packet, hasWatchers: boolean): void;
  writeMetadata?(metadata: StreamMetadata): void;
  /** A keyframe is next: whatever waits for company is written. */
  flush?(): void;
  onPublisherChange?(): void;
  /** Everything written since the last call as one chunk. */
  take(facts: ChunkFacts): SharedChunk;
  /** What a viewer gets before the chunk whose first packet has this decode time, milliseconds. */
  lead(dtsMs: number): SharedChunk;
}

/** What the stream carries and the format cannot, or the other way round. */
export function obstacleToFormat(format: BroadcastFormat, stream: Stream | undefined): Obstacle | undefined {
  const known = stream && format.obstacleOf?.(stream);
  return known ?? audioObstacle(stream, format, format.acceptsVideo);
}
