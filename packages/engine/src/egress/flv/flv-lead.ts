// First bytes for every viewer: FLV file header, metadata, sequence headers. The file header names the tracks and cannot be changed later,
// so it waits briefly for the second track.
import { type FlvMessage, toMetadataMessage, toSequenceHeader } from '@srs-stack/media/containers/flv/flv-muxer.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import { isSameTrack, type Track } from '@srs-stack/media/track.ts';
import type { PresentTracks, StreamView } from '../../hub/stream-view.ts';
import { type ChunkFacts, SharedChunk } from '../broadcast/shared-chunk.ts';

/** Writes messages as FLV tags (HTTP, WebSocket) or as RTMP chunks. */
export interface FlvWriter {
  bytesOf(message: FlvMessage): number;
  /** Writes exactly `bytesOf(message)` bytes; returns the offset after the message. */
  write(target: Buffer, offset: number, message: FlvMessage): number;
  /** Default: `onMetaData`. */
  readonly toMetadataMessage?: (metadata: StreamMetadata) => FlvMessage;
  /** Creates metadata for publishers that send none. Absent: no metadata. */
  readonly describe?: (tracks: PresentTracks) => StreamMetadata;
  /** Whether viewers wait until all tracks are known, even without a file header. */
  readonly waitsForTracks?: boolean;
  /** Sent first. Lists the tracks, so viewers wait until all tracks are known. */
  readonly fileHeader?: (tracks: { hasVideo: boolean; hasAudio: boolean }) => Buffer;
}

/** A track without packets for this media time counts as absent, milliseconds. */
const secondTrackWaitMs = 1000;

export class FlvLead {
  /** The last announced track of each kind. */
  readonly #announced = new Map<Track['kind'], Track>();
  #cached: { readonly dtsMs: number; readonly chunk: SharedChunk } | undefined;
  readonly #view: StreamView;
  readonly #writer: FlvWriter;

  constructor(view: StreamView, writer: FlvWriter) {
    this.#view = view;
    this.#writer = writer;
  }

  get isReady(): boolean {
    if (!this.#writer.fileHeader && !this.#writer.waitsForTracks) return true;
    const { video, audio } = this.#view.present;
    return (video && audio) !== undefined || this.#view.mediaMs >= secondTrackWaitMs;
  }

  /** Whether current viewers (`hasWatchers`) need the sequence header of this track before the next packet. */
  announce(track: Track, hasWatchers: boolean): boolean {
    const announced = this.#announced.get(track.kind);
    if (announced === track) return false;
    this.#announced.set(track.kind, track);
    this.invalidate();
    return announced === undefined ? hasWatchers : !isSameTrack(announced, track);
  }

  /** Call after a change of the contents; the next viewer gets a newly built lead. */
  invalidate(): void {
    this.#cached = undefined;
  }

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

/** Concatenates the messages in a new buffer. */
export function toSharedChunk({ messages, writer, facts, header }: ChunkContents): SharedChunk {
  let bytes = header?.length ?? 0;
  for (const message of messages) bytes += writer.bytesOf(message);
  return new SharedChunk(bytes, facts, (target, offset) => {
    let end = offset + (header?.copy(target, offset) ?? 0);
    for (const message of messages) end = writer.write(target, end, message);
  });
}
