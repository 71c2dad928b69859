// An admitted SRT publisher: MPEG-TS payloads → packets → publication. Independent of sockets and authorization.
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { LeftOutStreams } from '@srs-stack/media/containers/mpegts/unsupported-stream.ts';
import type { Publication } from '../hub/stream-hub.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';
import { extraTracks, type LeftOutMedia } from './left-out-media.ts';

/** Transport packets in one SRT payload of the usual 1316 bytes. */
const tsPacketsPerPayload = 7;

export class SrtPublisher {
  /** Empty when all media of the encoder is used. */
  leftOut: LeftOutMedia = {};
  readonly #publication: Publication;
  readonly #demuxer: TsDemuxer;

  /** `onLeftOut` is called when `leftOut` has changed. */
  constructor(publication: Publication, onLeftOut: (media: LeftOutMedia) => void) {
    this.#publication = publication;
    this.#demuxer = new TsDemuxer({
      onVideoAnnounced: () => publication.expectVideo(),
      onTrack: (track) => publication.setTrack(track),
      onPacket: (packet) => publication.push(packet),
      onLeftOut: (streams) => {
        this.leftOut = toLeftOutMedia(streams);
        onLeftOut(this.leftOut);
      },
    });
  }

  handlePayload(payload: Buffer): void {
    this.#publication.countReceived(payload.length);
    this.#demuxer.push(payload);
  }

  /** The connection gave up this number of SRT packets; each carries at most {@link tsPacketsPerPayload}. */
  handleLoss(packets: number): void {
    this.#demuxer.lose(packets * tsPacketsPerPayload);
  }

  end(reason: StreamEndReason): void {
    this.#demuxer.end();
    this.#publication.end(reason);
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
