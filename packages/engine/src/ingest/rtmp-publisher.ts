// Passes the messages of an RTMP publisher to its publication as packets. Malformed messages are dropped and counted. Independent of
// sockets and authorization.
import { FlvDemuxer } from '@srs-stack/media/containers/flv/flv-demuxer.ts';
import { UnsupportedCodecError } from '@srs-stack/media/containers/flv/flv-format.ts';
import { FrameJoiner } from '@srs-stack/media/containers/flv/frame-joiner.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { messageType, type RtmpMessage } from '@srs-stack/media/protocols/rtmp/message.ts';
import type { DroppedKind } from '../hub/media-health.ts';
import type { Publication } from '../hub/stream-hub.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';
import type { EngineLogger } from '../ports.ts';
import { sessionFields } from '../session-info.ts';
import { DroppedMessages } from './dropped-messages.ts';
import { extraTracks, type LeftOutMedia, remedyFor } from './left-out-media.ts';

/** A stream without supported media for this time is refused, milliseconds of its timestamps. */
const hopelessAfterMs = 5_000;

export interface RtmpPublisherOptions {
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class RtmpPublisher {
  readonly #publication: Publication;
  readonly #frameJoiner: FrameJoiner;
  readonly #demuxer: FlvDemuxer;
  readonly #log: EngineLogger;
  readonly #dropped: DroppedMessages;
  #unsupported: LeftOutMedia = {};
  #hasNamedExtra = false;
  #firstFailureMs: number | undefined;

  constructor(publication: Publication, { log, clock }: RtmpPublisherOptions) {
    this.#publication = publication;
    this.#frameJoiner = new FrameJoiner(publication);
    this.#demuxer = new FlvDemuxer(this.#frameJoiner);
    this.#log = log;
    this.#dropped = new DroppedMessages(publication, log, clock);
  }

  /**
   * Handles an audio, video or data message. Throws `ProtocolError` if the stream is hopeless: it has no supported track, and either both
   * codecs are unsupported or {@link hopelessAfterMs} have passed.
   */
  handleMessage({ typeId, payload, timestamp }: RtmpMessage): void {
    try {
      this.#demuxer.read(typeId, payload, timestamp);
      if (!this.#hasNamedExtra) this.#nameExtra();
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (error instanceof UnsupportedCodecError && !this.#demuxer.has(error.kind)) this.#leaveOut(error);
      else this.#dropped.count(kindOf(typeId), error.reason);
      if (this.#isHopeless(timestamp)) throw error;
    }
  }

  /** Counts a malformed message that is not media. */
  countDropped(typeId: number, reason: string): void {
    this.#dropped.count(kindOf(typeId), reason);
  }

  /** Dropped media, except unsupported codecs of a kind with a supported track. */
  get leftOut(): LeftOutMedia {
    const { unsupportedVideo, unsupportedAudio } = this.#unsupported;
    return {
      ...(unsupportedVideo && !this.#demuxer.has('video') && { unsupportedVideo }),
      ...(unsupportedAudio && !this.#demuxer.has('audio') && { unsupportedAudio }),
      ...this.#extra,
    };
  }

  /** Call twice a second. */
  tick(): void {
    this.#frameJoiner.tick();
  }

  get isAwaited(): boolean {
    return this.#publication.isAwaited;
  }

  countReceived(bytes: number): void {
    this.#publication.countReceived(bytes);
  }

  end(reason: StreamEndReason): void {
    this.#frameJoiner.flush();
    if (this.#demuxer.skippedFrames > 0) {
      this.#log.info(
        { skippedFrames: this.#demuxer.skippedFrames },
        'frames without a codec configuration were dropped',
      );
    }
    this.#dropped.end();
    this.#publication.end(reason);
  }

  #leaveOut({ kind, codec }: UnsupportedCodecError): void {
    const name = kind === 'video' ? 'unsupportedVideo' : 'unsupportedAudio';
    if (this.#unsupported[name] !== undefined) return; // logged once
    this.#unsupported = { ...this.#unsupported, [name]: codec };
    this.#warnLeftOut({ [name]: codec });
  }

  get #extra(): LeftOutMedia {
    return extraTracks(this.#demuxer.extraTracks('video'), this.#demuxer.extraTracks('audio'));
  }

  /** Logs only the first additional track; the details of the stream contain their number. */
  #nameExtra(): void {
    if (this.#demuxer.extraTracks('video') + this.#demuxer.extraTracks('audio') === 0) return;
    this.#hasNamedExtra = true;
    this.#warnLeftOut(this.#extra);
  }

  #warnLeftOut(media: LeftOutMedia): void {
    const fields = { ...sessionFields(this.#publication.session), ...media, remedy: remedyFor(media) };
    this.#log.warn(fields, 'media in an unsupported format from the encoder is dropped');
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
