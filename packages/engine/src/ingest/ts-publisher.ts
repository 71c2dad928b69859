// Passes MPEG-TS of a publisher (SRT, datagrams, HLS) to its publication as packets. Independent of sockets and authorization.
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { LeftOutStreams } from '@srs-stack/media/containers/mpegts/unsupported-stream.ts';
import type { Publication } from '../hub/stream-hub.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';
import { extraTracks, type LeftOutMedia } from './left-out-media.ts';

/** TS packets in an SRT payload of the usual 1316 bytes. */
const tsPacketsPerPayload = 7;

/** Where packets go: a publication, or the pacer before a publication. */
export type TsTarget = Pick<Publication, 'countReceived' | 'end' | 'expectVideo' | 'push' | 'setTrack'>;

export class TsPublisher {
  /** Dropped media of the encoder; empty if none. */
  leftOut: LeftOutMedia = {};
  readonly #publication: TsTarget;
  readonly #onLeftOut: (media: LeftOutMedia) => void;
  #demuxer: TsDemuxer;

  constructor(publication: TsTarget, onLeftOut: (media: LeftOutMedia) => void) {
    this.#publication = publication;
    this.#onLeftOut = onLeftOut;
    this.#demuxer = this.#createDemuxer();
  }

  handlePayload(payload: Buffer): void {
    this.#publication.countReceived(payload.length);
    this.#demuxer.push(payload);
  }

  /** Call when the connection has lost payloads. Each payload has at most {@link tsPacketsPerPayload} packets. */
  handleLoss(packets: number): void {
    this.#demuxer.lose(packets * tsPacketsPerPayload);
  }

  /** Call when another transport stream follows: programs, counters and clock restart. */
  restart(): void {
    this.#demuxer.end();
    this.#demuxer = this.#createDemuxer();
  }

  end(reason: StreamEndReason): void {
    this.#demuxer.end();
    this.#publication.end(reason);
  }

  #createDemuxer(): TsDemuxer {
    const publication = this.#publication;
    return new TsDemuxer({
      onVideoAnnounced: () => publication.expectVideo(),
      onTrack: (track) => publication.setTrack(track),
      onPacket: (packet) => publication.push(packet),
      onLeftOut: (streams) => {
        this.leftOut = toLeftOutMedia(streams);
        this.#onLeftOut(this.leftOut);
      },
    });
  }
}

function toLeftOutMedia({ unsupported, extra }: LeftOutStreams): LeftOutMedia {
  const video = unsupported.find(({ kind }) => kind === 'video')?.codec;
  const audio = unsupported.find(({ kind }) => kind === 'audio')?.codec;
  const count = (kind: 'video' | 'audio') => extra.filter((other) => other === kind).length;
  return {
    ...(video && { unsupportedVideo: video }),
    ...(audio && { unsupportedAudio: audio }),
    ...extraTracks(count('video'), count('audio')),
  };
}
