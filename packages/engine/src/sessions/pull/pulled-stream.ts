// Publishes one connection to an RTSP source, admitted by the gate like every publisher.
import type { AnnouncedMedia } from '@srs-stack/media/protocols/sdp/announced-media.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { RtspPublisher } from '../../ingest/rtsp-publisher.ts';
import { leftOutOf, tracksToPull } from './pull-failure.ts';
import type { PullMetrics } from './pull-status.ts';
import { PulledPublication, type PulledPublicationOptions } from './pulled-publication.ts';

export interface PulledStreamOptions extends Omit<PulledPublicationOptions, 'stats' | 'type'> {
  readonly media: readonly AnnouncedMedia[];
  /** Packets may be reordered over UDP only. */
  readonly transport: 'tcp' | 'udp';
}

export class PulledStream {
  /** Indexes of the pulled media in the source's description. */
  readonly tracks: readonly number[];
  readonly #options: PulledStreamOptions;
  readonly #leftOut: string;
  readonly #place: PulledPublication;
  #publisher: RtspPublisher | undefined;

  constructor(options: PulledStreamOptions) {
    this.#options = options;
    this.tracks = tracksToPull(options.media);
    this.#leftOut = leftOutOf(options.media);
    const stats = () => ({ detail: { ...this.#publisher?.unsupported, lostPackets: this.#lostPackets } });
    this.#place = new PulledPublication({ ...options, type: 'rtsp-publish', stats });
  }

  /** Silence of this track is a stall: the video track, or the audio track if there is no video. */
  get watchedTrack(): number {
    const { media } = this.#options;
    return this.tracks.find((index) => media[index]?.kind === 'video') ?? this.tracks[0] ?? 0;
  }

  get isAwaited(): boolean | undefined {
    return this.#place.isAwaited;
  }

  get metrics(): Omit<PullMetrics, 'receivedBytes'> {
    return { receivedFrames: this.#place.frames, lostPackets: this.#lostPackets, leftOut: this.#leftOut };
  }

  /** Publishes the stream. Returns false if it was refused or has ended meanwhile. */
  async publish(): Promise<boolean> {
    const publication = await this.#place.admit();
    if (!publication) return false;
    this.#publisher = new RtspPublisher(publication, this.#options.media, this.#options.transport);
    return true;
  }

  handlePacket(index: number, isRtcp: boolean, data: Buffer, now: number): void {
    this.#publisher?.handlePacket(index, isRtcp, data, now);
  }

  tick(now: number): void {
    this.#publisher?.tick(now);
  }

  /** Idempotent. */
  end(reason: StreamEndReason): void {
    this.#publisher = undefined;
    this.#place.end(reason);
  }

  get #lostPackets(): number {
    return this.#publisher?.lostPackets ?? 0;
  }
}
