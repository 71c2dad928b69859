// The source of a stream while a substitute is on air. Keeps the announced tracks and detects the return of the source. Time is a
// parameter.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { Track } from '@srs-stack/media/track.ts';

/** A source without video for this time after its first packet counts as audio only, milliseconds. */
const audioOnlyAfterMs = 3_000;

export interface SourceFacts {
  readonly tracks: readonly Track[];
  readonly metadata: StreamMetadata | undefined;
}

export class ReturningSource {
  #tracks = new Map<Track['kind'], Track>();
  #metadata: StreamMetadata | undefined;
  #sawVideo = false;
  #firstPacketMs: number | undefined;

  constructor({ tracks, metadata }: SourceFacts) {
    for (const track of tracks) this.keepTrack(track);
    this.#metadata = metadata;
  }

  keepTrack(track: Track): void {
    this.#tracks.set(track.kind, track);
  }

  keepMetadata(metadata: StreamMetadata): void {
    this.#metadata = metadata;
  }

  get facts(): SourceFacts {
    return { tracks: [...this.#tracks.values()], metadata: this.#metadata };
  }

  /** Discards the announced tracks of the previous publisher. */
  forget(): void {
    this.#tracks = new Map();
    this.#metadata = undefined;
    this.#sawVideo = false;
    this.#firstPacketMs = undefined;
  }

  /**
   * Whether the source has returned with this packet: a video keyframe, or audio if the substitute or the source has no video. @param
   * hasVideo whether the substitute has video.
   */
  isReturn(packet: Packet, hasVideo: boolean, now: number): boolean {
    this.#firstPacketMs ??= now;
    if (packet.track.kind === 'video') {
      this.#sawVideo = true;
      return packet.keyframe;
    }
    return !hasVideo || (!this.#sawVideo && now - this.#firstPacketMs >= audioOnlyAfterMs);
  }
}
