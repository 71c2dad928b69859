// A publisher over SRT once it is let in: MPEG-TS payloads → packets → publication. Knows nothing of sockets and permissions.
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { UnsupportedStream } from '@srs-stack/media/containers/mpegts/unsupported-stream.ts';
import type { Publication } from '../hub/stream-hub.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';
import type { UnsupportedMedia } from './unsupported-media.ts';

/** Transport packets in one SRT payload of the usual 1316 bytes. */
const tsPacketsPerPayload = 7;

export class SrtPublisher {
  /** What the encoder sends and nobody here understands, by kind; empty when everything is taken. */
  unsupported: UnsupportedMedia = {};
  readonly #publication: Publication;
  readonly #demuxer: TsDemuxer;

  /** `onUnsupported` is called when `unsupported` has changed. */
  constructor(publication: Publication, onUnsupported: (media: UnsupportedMedia) => void) {
    this.#publication = publication;
    this.#demuxer = new TsDemuxer({
      onTrack: (track) => publication.setTrack(track),
      onPacket: (packet) => publication.push(packet),
      onUnsupported: (streams) => {
        this.unsupported = toUnsupportedMedia(streams);
        onUnsupported(this.unsupported);
      },
    });
  }

  handlePayload(payload: Buffer): void {
    this.#publication.countReceived(payload.length);
    this.#demuxer.push(payload);
  }

  /** The connection gave up this many SRT packets; each carries at most {@link tsPacketsPerPayload}. */
  handleLoss(packets: number): void {
    this.#demuxer.lose(packets * tsPacketsPerPayload);
  }

  end(reason: StreamEndReason): void {
    this.#demuxer.end();
    this.#publication.end(reason);
  }
}

function toUnsupportedMedia(streams: readonly UnsupportedStream[]): UnsupportedMedia {
  const video = streams.find(({ kind }) => kind === 'video')?.codec;
  const audio = streams.find(({ kind }) => kind === 'audio')?.codec;
  return { ...(video && { unsupportedVideo: video }), ...(audio && { unsupportedAudio: audio }) };
}
