// A reader of the hub is an *output*, not one viewer: one FLV muxer for all FLV viewers, one HLS segmenter, one recorder. Viewers of the
// same kind share the bytes of their output.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { AudioCodec } from '@srs-stack/media/track.ts';

/** Why a stream stopped feeding its readers. */
export type StreamEndReason = 'unpublished' | 'kicked' | 'replaced' | 'timeout' | 'error' | 'shutdown';

export interface StreamReader {
  /** Short name for logs, e.g. `http-flv`, `hls`. */
  readonly name: string;
  /** Audio codecs this output can carry; undefined for any. Audio in other codecs is converted by an audio bridge, or not delivered. */
  readonly acceptsAudio?: readonly AudioCodec[];
  /** Whether packets may arrive some tenths of a second late, in batches, because the output is not needed immediately. */
  readonly isPatient?: boolean;
  /** Called for every packet in decode order, synchronously: must not block, must not throw, must not keep the array. */
  onPacket(packet: Packet): void;
  /** Publisher metadata (onMetaData) was set or replaced. */
  onMetadata?(metadata: StreamMetadata): void;
  /** A publisher took over or reconnected: timestamps continue, a discontinuity may follow. */
  onPublisherChange?(): void;
  /** Final call; no packet follows until the reader is attached again. */
  onEnd(reason: StreamEndReason): void;
}
