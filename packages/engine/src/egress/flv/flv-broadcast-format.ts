// FLV for HTTP viewers, WebSocket viewers and other gateways; RTMP chunks for RTMP players and push targets. Both carry the same messages.
// Audio is AAC or MP3, which all players support; other codecs are converted. Other gateways receive any codec that FLV can carry.
import {
  type FlvMessage,
  flvTagBytes,
  toFlvMessage,
  toMetadataMessage,
  toSequenceHeader,
  toSetDataFrameMessage,
  writeFlvHeader,
  writeFlvTag,
} from '@srs-stack/media/containers/flv/flv-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { mediaChunksBytes, writeMediaChunks } from '@srs-stack/media/protocols/rtmp/media-chunks.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { AudioCodec } from '@srs-stack/media/track.ts';
import type { StreamView } from '../../hub/stream-view.ts';
import type { BroadcastFormat, BroadcastMuxer } from '../broadcast/broadcast-format.ts';
import type { ChunkFacts, SharedChunk } from '../broadcast/shared-chunk.ts';
import { FlvLead, type FlvWriter, toSharedChunk } from './flv-lead.ts';
import { metadataOfTracks } from './track-metadata.ts';

const tagWriter: FlvWriter = { bytesOf: flvTagBytes, write: writeFlvTag };
const chunkWriter: FlvWriter = { bytesOf: mediaChunksBytes, write: writeMediaChunks };

const playerAudio: readonly AudioCodec[] = ['aac', 'mp3'];
/** All audio codecs of Enhanced RTMP: copies receive the publisher's audio unchanged. */
const anyAudio: readonly AudioCodec[] = ['aac', 'mp3', 'opus', 'ac3', 'eac3', 'flac', 'pcma', 'pcmu'];

export const flvFormat = formatOf('http-flv', playerAudio, { ...tagWriter, fileHeader: writeFlvHeader });
export const rtmpFormat = formatOf('rtmp', playerAudio, chunkWriter);
/** Format for another gateway: FLV tags without a file header, because a file header waits for the second track. */
export const copyFormat = formatOf('copy', anyAudio, tagWriter);

/** Format for a push target: messages of a publisher, on the message stream that the target assigned. */
export function pushFormatOf(messageStreamId: number): BroadcastFormat {
  return formatOf('push', playerAudio, {
    bytesOf: mediaChunksBytes,
    write: (target, offset, message) => writeMediaChunks(target, offset, message, messageStreamId),
    toMetadataMessage: toSetDataFrameMessage,
    describe: metadataOfTracks,
    waitsForTracks: true,
  });
}

function formatOf(name: string, acceptsAudio: readonly AudioCodec[], writer: FlvWriter): BroadcastFormat {
  return {
    name,
    acceptsAudio,
    acceptsVideo: true,
    createMuxer: (view) => new FlvBroadcastMuxer(view, writer),
  };
}

class FlvBroadcastMuxer implements BroadcastMuxer {
  pendingBytes = 0;
  #messages: FlvMessage[] = [];
  readonly #writer: FlvWriter;
  readonly #beginning: FlvLead;

  constructor(view: StreamView, writer: FlvWriter) {
    this.#writer = writer;
    this.#beginning = new FlvLead(view, writer);
  }

  get isReady(): boolean {
    return this.#beginning.isReady;
  }

  write(packet: Packet, hasWatchers: boolean): void {
    const needsHeader = this.#beginning.announce(packet.track, hasWatchers);
    const header = needsHeader ? toSequenceHeader(packet.track, packet.dtsMs) : undefined;
    if (header) this.#add(header);
    this.#add(toFlvMessage(packet));
  }

  writeMetadata(metadata: StreamMetadata): void {
    this.#beginning.invalidate();
    if (this.#messages.length > 0) this.#add((this.#writer.toMetadataMessage ?? toMetadataMessage)(metadata));
  }

  onPublisherChange(): void {
    this.#beginning.invalidate();
  }

  take(facts: ChunkFacts): SharedChunk {
    const messages = this.#messages;
    const writer = this.#writer;
    this.#messages = [];
    this.pendingBytes = 0;
    return toSharedChunk({ messages, writer, facts });
  }

  lead(dtsMs: number): SharedChunk {
    return this.#beginning.toChunk(dtsMs);
  }

  #add(message: FlvMessage): void {
    this.#messages.push(message);
    this.pendingBytes += message.head.length + message.payload.length;
  }
}
