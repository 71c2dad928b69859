// A publisher over RTMP once it is let in: messages → packets → publication. What cannot be read is dropped and counted; the stream
// goes on with the rest. Knows nothing of sockets and permissions.
import { FlvDemuxer } from '@srs-stack/media/containers/flv/flv-demuxer.ts';
import { UnsupportedCodecError } from '@srs-stack/media/containers/flv/flv-format.ts';
import { PictureJoiner } from '@srs-stack/media/containers/flv/picture-joiner.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { messageType, type RtmpMessage } from '@srs-stack/media/protocols/rtmp/message.ts';
import type { DroppedKind } from '../hub/media-health.ts';
import type { Publication } from '../hub/stream-hub.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';
import type { EngineLogger } from '../ports.ts';
import { sessionFields } from '../session-info.ts';
import { DroppedMessages } from './dropped-messages.ts';
import { type UnsupportedMedia, unsupportedRemedy } from './unsupported-media.ts';

/** A stream of which nothing could be carried for so long will not get better, milliseconds of its own clock. */
const hopelessAfterMs = 5_000;

export interface RtmpPublisherOptions {
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class RtmpPublisher {
  readonly #publication: Publication;
  readonly #pictures: PictureJoiner;
  readonly #demuxer: FlvDemuxer;
  readonly #log: EngineLogger;
  readonly #dropped: DroppedMessages;
  #unsupported: UnsupportedMedia = {};
  #firstFailureMs: number | undefined;

  constructor(publication: Publication, { log, clock }: RtmpPublisherOptions) {
    this.#publication = publication;
    this.#pictures = new PictureJoiner(publication);
    this.#demuxer = new FlvDemuxer(this.#pictures);
    this.#log = log;
    this.#dropped = new DroppedMessages(publication, log, clock);
  }

  /**
   * Audio, video or data. Throws `ProtocolError` (`UnsupportedCodecError`) when nothing of the stream can be carried: no track
   * has come, and both codecs are unknown or {@link hopelessAfterMs} have passed.
   */
  handleMessage({ typeId, payload, timestamp }: RtmpMessage): void {
    try {
      this.#demuxer.read(typeId, payload, timestamp);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (error instanceof UnsupportedCodecError && !this.#demuxer.has(error.kind)) this.#leaveOut(error);
      else this.#dropped.count(kindOf(typeId), error.reason);
      if (this.#isHopeless(timestamp)) throw error;
    }
  }

  /** A message that is no media could not be read. */
  countDropped(typeId: number, reason: string): void {
    this.#dropped.count(kindOf(typeId), reason);
  }

  /** Codecs that are left out; a track that came later is not named. */
  get unsupported(): UnsupportedMedia {
    const { unsupportedVideo, unsupportedAudio } = this.#unsupported;
    return {
      ...(unsupportedVideo && !this.#demuxer.has('video') && { unsupportedVideo }),
      ...(unsupportedAudio && !this.#demuxer.has('audio') && { unsupportedAudio }),
    };
  }

  /** Call twice a second. */
  tick(): void {
    this.#pictures.tick();
  }

  /** Whether somebody waits for each packet as it comes. */
  get isAwaited(): boolean {
    return this.#publication.isAwaited;
  }

  countReceived(bytes: number): void {
    this.#publication.countReceived(bytes);
  }

  end(reason: StreamEndReason): void {
    this.#pictures.flush();
    if (this.#demuxer.skippedFrames > 0) {
      this.#log.info({ skippedFrames: this.#demuxer.skippedFrames }, 'frames without configuration were left out');
    }
    this.#dropped.end();
    this.#publication.end(reason);
  }

  #leaveOut({ kind, codec }: UnsupportedCodecError): void {
    const name = kind === 'video' ? 'unsupportedVideo' : 'unsupportedAudio';
    if (this.#unsupported[name] !== undefined) return; // said once
    this.#unsupported = { ...this.#unsupported, [name]: codec };
    const fields = { ...sessionFields(this.#publication.session), [name]: codec, remedy: unsupportedRemedy };
    this.#log.warn(fields, 'media of the encoder is left out');
  }

  #isHopeless(timestamp: number): boolean {
    if (this.#demuxer.has('video') || this.#demuxer.has('audio')) return false;
    this.#firstFailureMs ??= timestamp;
    const { unsupportedVideo, unsupportedAudio } = this.#unsupported;
    if (unsupportedVideo !== undefined && unsupportedAudio !== undefined) return true;
    return ((timestamp - this.#firstFailureMs) | 0) >= hopelessAfterMs; // the clock has 32 bits and wraps
  }
}

function kindOf(typeId: number): DroppedKind {
  if (typeId === messageType.video) return 'video';
  return typeId === messageType.audio ? 'audio' : 'other';
}
