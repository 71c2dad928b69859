// A stream as one reader sees it: a converted audio track replaces the publisher's audio track. Readers use this view for headers and
// tables before the first packet.

import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { AudioTrack, VideoTrack } from '@srs-stack/media/track.ts';
import type { SessionInfo } from '../session-info.ts';
import type { AudioRenditions, Rendition } from './audio-renditions.ts';
import type { StreamReader } from './stream-reader.ts';

/**
 * Factor for the wait of outputs for the second track while a converter starts, because starting FFmpeg is slow on a busy machine. The
 * usual wait is about a second of media.
 */
const startingSlowdown = 4;

export interface PresentTracks {
  readonly video: VideoTrack | undefined;
  readonly audio: AudioTrack | undefined;
}

export interface StreamView {
  readonly key: StreamKey;
  readonly publisher: SessionInfo | undefined;
  readonly metadata: StreamMetadata | undefined;
  /** Announced tracks. */
  readonly video: VideoTrack | undefined;
  readonly audio: AudioTrack | undefined;
  /** Whether the publisher announced video; true even before the video configuration is known. */
  readonly announcesVideo: boolean;
  /** Tracks with packets in this publication. A codec configuration without packets does not count. */
  readonly present: PresentTracks;
  readonly mediaMs: number;
}

export class ReaderView implements StreamView {
  readonly #stream: StreamView;
  readonly #renditions: AudioRenditions;
  readonly #reader: Pick<StreamReader, 'acceptsAudio'>;

  constructor(stream: StreamView, renditions: AudioRenditions, reader: Pick<StreamReader, 'acceptsAudio'>) {
    this.#stream = stream;
    this.#renditions = renditions;
    this.#reader = reader;
  }

  get key(): StreamKey {
    return this.#stream.key;
  }

  get publisher(): SessionInfo | undefined {
    return this.#stream.publisher;
  }

  get metadata(): StreamMetadata | undefined {
    const { metadata } = this.#stream;
    return metadata && (this.#getsPublishersAudio ? metadata : withoutAudio(metadata));
  }

  get video(): VideoTrack | undefined {
    return this.#stream.video;
  }

  get announcesVideo(): boolean {
    return this.#stream.announcesVideo;
  }

  get audio(): AudioTrack | undefined {
    if (this.#getsPublishersAudio) return this.#stream.audio;
    const conversion = this.#rendition?.conversion;
    return conversion?.state === 'missing' ? undefined : conversion?.track;
  }

  get present(): PresentTracks {
    if (this.#getsPublishersAudio) return this.#stream.present;
    const rendition = this.#rendition;
    return { video: this.#stream.present.video, audio: rendition?.hasOutput ? rendition.conversion.track : undefined };
  }

  /**
   * Media time during which a track could have appeared. For a conversion without output: the media time since the start of the conversion,
   * divided by `startingSlowdown` while the converter starts.
   */
  get mediaMs(): number {
    const { mediaMs, present } = this.#stream;
    const rendition = this.#rendition;
    if (!rendition || rendition.hasOutput) return mediaMs;
    const convertingMs = mediaMs - rendition.startedAtMs;
    const isComing = present.audio !== undefined && rendition.conversion.state === 'starting';
    return isComing ? convertingMs / startingSlowdown : convertingMs;
  }

  get #getsPublishersAudio(): boolean {
    const codec = this.#stream.audio?.codec;
    return codec === undefined || this.#renditions.codecFor(this.#reader) === codec;
  }

  get #rendition(): Rendition | undefined {
    return this.#renditions.renditionFor(this.#reader);
  }
}

/** Removes audio metadata, which does not apply to a converted track. */
function withoutAudio(metadata: StreamMetadata): StreamMetadata {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !/^(audio|stereo)/.test(name)));
}
