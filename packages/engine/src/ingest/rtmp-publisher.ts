// A publisher over RTMP once it is let in: messages → packets → publication. Knows nothing of sockets and permissions.
import { FlvDemuxer } from '@srs-stack/media/containers/flv/flv-demuxer.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { messageType, type RtmpMessage } from '@srs-stack/media/protocols/rtmp/message.ts';
import type { Publication } from '../hub/stream-hub.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';
import type { EngineLogger } from '../ports.ts';

export class RtmpPublisher {
  readonly #publication: Publication;
  readonly #demuxer: FlvDemuxer;
  readonly #log: EngineLogger;

  constructor(publication: Publication, log: EngineLogger) {
    this.#publication = publication;
    this.#demuxer = new FlvDemuxer(publication);
    this.#log = log;
  }

  /** Audio, video or data. Throws `ProtocolError` (`UnsupportedCodecError`) when the media cannot be carried. */
  handleMessage({ typeId, payload, timestamp }: RtmpMessage): void {
    if (typeId === messageType.dataAmf0) this.#handleData(payload);
    else this.#demuxer.read(typeId, payload, timestamp);
  }

  /** Whether somebody waits for each packet as it comes. */
  get isAwaited(): boolean {
    return this.#publication.isAwaited;
  }

  countReceived(bytes: number): void {
    this.#publication.countReceived(bytes);
  }

  end(reason: StreamEndReason): void {
    if (this.#demuxer.skippedFrames > 0) {
      this.#log.info({ skippedFrames: this.#demuxer.skippedFrames }, 'frames without configuration were left out');
    }
    this.#publication.end(reason);
  }

  /** Metadata that cannot be read is left out: the picture does not depend on it. */
  #handleData(payload: Buffer): void {
    try {
      this.#demuxer.readScript(payload);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#log.warn({ reason: error.message }, 'unreadable metadata was left out');
    }
  }
}
