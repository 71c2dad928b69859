// Start of an FLV or RTMP stream for every viewer: file header (FLV), metadata, sequence headers. The file header waits briefly for the
// second track, because its flags name the tracks and cannot be changed later.
import { type FlvMessage, toMetadataMessage, toSequenceHeader } from '@srs-stack/media/containers/flv/flv-muxer.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import { isSameTrack, type Track } from '@srs-stack/media/track.ts';
import type { PresentTracks, StreamView } from '../../hub/stream-view.ts';
import { type ChunkFacts, SharedChunk } from '../broadcast/shared-chunk.ts';

/** Framing of messages: FLV tags for HTTP and WebSocket, chunks for RTMP. */
export interface FlvWriter {
  bytesOf(message: FlvMessage): number;
  /** Writes exactly `bytesOf(message)` bytes and returns the offset after them. */
  write(target: Buffer, offset: number, message: FlvMessage): number;
  /** Default: `onMetaData`. */
  readonly toMetadataMessage?: (metadata: StreamMetadata) => FlvMessage;
  /** Metadata for a publisher that has sent none; undefined: none. */
  readonly describe?: (tracks: PresentTracks) => StreamMetadata;
  /** Viewers wait until all tracks are known, as with a file header. */
  readonly waitsForTracks?: boolean;
  /** Sent first; it lists the tracks, so viewers wait until these are known. */
  readonly fileHeader?: (tracks: { hasVideo: boolean; hasAudio: boolean }) => Buffer;
}

/** Media time after which a track without packets counts as absent, milliseconds. */
const secondTrackWaitMs = 1000;

export class FlvLead {
  /** Last track whose header was sent to viewers, by kind. */
  readonly #announced = new Map<Track['kind'], Track>();
  #cached: { readonly dtsMs: number; readonly chunk: SharedChunk } | undefined;
  readonly #view: StreamView;
  readonly #writer: FlvWriter;

  constructor(view: StreamView, writer: FlvWriter) {
    this.#view = view;
    this.#writer = writer;
  }

  /** Whether the start for new viewers is complete. */
  get isReady(): boolean {
    if (!this.#writer.fileHeader && !this.#writer.waitsForTracks) return true;
    const { video, audio } = this.#view.present;
    return (video && audio) !== undefined || this.#view.mediaMs >= secondTrackWaitMs;
  }

  /** True when current viewers (`hasWatchers`) need this track's sequence header before its next packet. */
  announce(track: Track, hasWatchers: boolean): boolean {
    const announced = this.#announced.get(track.kind);
    if (announced === track) return false;
    this.#announced.set(track.kind, track);
    this.invalidate();
    return announced === undefined ? hasWatchers : !isSameTrack(announced, track);
  }

  /** Call when the content of the lead has changed: it is built again. */
  invalidate(): void {
    this.#cached = undefined;
  }

  /** `dtsMs` is the time of the first packet that follows. */
  toChunk(dtsMs: number): SharedChunk {
    if (this.#cached?.dtsMs !== dtsMs) this.#cached = { dtsMs, chunk: this.#build(dtsMs) };
    return this.#cached.chunk;
  }

  #build(dtsMs: number): SharedChunk {
    const { describe, toMetadataMessage: toMessage = toMetadataMessage } = this.#writer;
    const metadata = this.#view.metadata ?? describe?.(this.#view.present);
    const { video, audio } = this.#view.present;
    const header = this.#writer.fileHeader?.({ hasVideo: video !== undefined, hasAudio: audio !== undefined });
    const messages = [
      metadata && toMessage(metadata),
      video && toSequenceHeader(video, dtsMs),
      audio && toSequenceHeader(audio, dtsMs),
    ].flatMap((message) => message ?? []);
    return toSharedChunk({ messages, writer: this.#writer, header, facts: { isStart: true, dtsMs, frames: 0 } });
  }
}

export interface ChunkContents {
  readonly messages: readonly FlvMessage[];
  readonly writer: FlvWriter;
  readonly facts: ChunkFacts;
  readonly header?: Buffer | undefined;
}

/** The messages concatenated in a new buffer. */
export function toSharedChunk({ messages, writer, facts, header }: ChunkContents): SharedChunk {
  let bytes = header?.length ?? 0;
  for (const message of messages) bytes += writer.bytesOf(message);
  return new SharedChunk(bytes, facts, (target, offset) => {
    let end = offset + (header?.copy(target, offset) ?? 0);
    for (const message of messages) end = writer.write(target, end, message);
  });
}
