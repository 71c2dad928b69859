// Publishes a stream that another gateway sends as FLV tags. Independent of sockets.
import { FlvDemuxer } from '@srs-stack/media/containers/flv/flv-demuxer.ts';
import { tagType } from '@srs-stack/media/containers/flv/flv-format.ts';
import { FlvTagReader } from '@srs-stack/media/containers/flv/flv-tag-reader.ts';
import type { Publication } from '../hub/publication.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';
import { parseCopyEnd } from './copy-end.ts';

export class CopyPublisher {
  readonly #publication: Publication;
  readonly #demuxer: FlvDemuxer;
  readonly #tags = new FlvTagReader((type, body, timestampMs) => this.#handleTag(type, body, timestampMs));
  #reason: StreamEndReason = 'error';

  constructor(publication: Publication) {
    this.#publication = publication;
    this.#demuxer = new FlvDemuxer(publication);
  }

  /** Throws `ProtocolError` for invalid tags. */
  read(bytes: Buffer): void {
    this.#publication.countReceived(bytes.length);
    this.#tags.read(bytes);
  }

  /** Call after the end of the connection. The end reason comes from the other gateway, or is `error` if the connection broke. */
  end(): void {
    this.#publication.end(this.#reason);
  }

  #handleTag(type: number, body: Buffer, timestampMs: number): void {
    const reason = type === tagType.script ? parseCopyEnd(body) : undefined;
    if (reason === undefined) this.#demuxer.read(type, body, timestampMs);
    else this.#reason = reason;
  }
}
