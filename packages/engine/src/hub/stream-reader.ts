// A reader of the hub is an *output* for many viewers, not a viewer: one FLV muxer for all FLV viewers, one HLS segmenter, one recorder.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { AudioCodec } from '@srs-stack/media/track.ts';

/** Why a stream has ended for its readers. */
export type StreamEndReason = 'unpublished' | 'kicked' | 'replaced' | 'timeout' | 'error' | 'shutdown';

export interface StreamReader {
  readonly name: string;
  /** Audio codecs that this output supports; undefined: all. Audio in other codecs is converted by the audio bridge, or not delivered. */
  readonly acceptsAudio?: readonly AudioCodec[];
  /** Whether packets may arrive some tenths of a second late, because the output is not needed immediately. */
  readonly isPatient?: boolean;
  /** Receives every packet in decode order. Synchronous: must neither block nor throw. */
  onPacket(packet: Packet): void;
  /** Called when the publisher's metadata (onMetaData) has changed. */
  onMetadata?(metadata: StreamMetadata): void;
  /** Called when other media follows: of a new publisher, or of a slate or backup source. Timestamps continue, but may jump forward. */
  onPublisherChange?(): void;
  /** The last call, unless the reader is attached again. */
  onEnd(reason: StreamEndReason): void;
}
