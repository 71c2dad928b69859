// What is on the air instead of a source that is gone: a slate, or a backup source. Keeps what the source announces meanwhile, and recognizes
// its return. Pure; time is a parameter.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { Track } from '@srs-stack/media/track.ts';

/** A source that came back without video for so long has none, milliseconds. */
const audioOnlyAfterMs = 3_000;

export interface SourceFacts {
  readonly tracks: readonly Track[];
  readonly metadata: StreamMetadata | undefined;
}

export abstract class StandIn {
  readonly sinceMs: number;
  readonly #hasVideo: boolean;
  #tracks = new Map<Track['kind'], Track>();
  #metadata: StreamMetadata | undefined;
  #sawVideo = false;
  #firstPacketMs: number | undefined;

  constructor(hasVideo: boolean, now: number) {
    this.#hasVideo = hasVideo;
    this.sinceMs = now;
  }

  /** Packets that are due, in decode order. */
  abstract take(now: number): Packet[];

  /** It is off the air for good. */
  abstract close(): void;

  /** What the source announces meanwhile is kept for its return. */
  keepTrack(track: Track): void {
    this.#tracks.set(track.kind, track);
  }

  keepMetadata(metadata: StreamMetadata): void {
    this.#metadata = metadata;
  }

  get source(): SourceFacts {
    return { tracks: [...this.#tracks.values()], metadata: this.#metadata };
  }

  /** Goes on in the place of another one, with what that has kept. */
  takeOver(before: StandIn): void {
    this.#tracks = before.#tracks;
    this.#metadata = before.#metadata;
    this.#sawVideo = before.#sawVideo;
    this.#firstPacketMs = before.#firstPacketMs;
  }

  /** Another publisher came: what the one before announced is void. */
  forgetSource(): void {
    this.#tracks = new Map();
    this.#metadata = undefined;
    this.#sawVideo = false;
    this.#firstPacketMs = undefined;
  }

  /** Whether the stream is the source's again with this packet: with a video keyframe, or at once where there is no video. */
  isReturn(packet: Packet, now: number): boolean {
    this.#firstPacketMs ??= now;
    if (packet.track.kind === 'video') {
      this.#sawVideo = true;
      return packet.keyframe;
    }
    return !this.#hasVideo || (!this.#sawVideo && now - this.#firstPacketMs >= audioOnlyAfterMs);
  }
}
