// What one connection publishes of a source: admitted by the gate as every publisher, then fed with the packets of its tracks.
import type { AnnouncedMedia } from '@srs-stack/media/protocols/sdp/announced-media.ts';
import type { Publication } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { RtspPublisher } from '../../ingest/rtsp-publisher.ts';
import type { EngineLogger } from '../../ports.ts';
import { type SessionInfo, sessionFields } from '../../session-info.ts';
import { randomId } from '../../util/random-id.ts';
import { admitPublisher, type PublishGate } from '../gate/publish-gate.ts';
import { leftOutOf, tracksToPull } from './pull-failure.ts';
import type { PullFailure, PullFigures, PullOrder } from './pull-status.ts';

export interface PulledStreamOptions {
  readonly order: PullOrder;
  /** Address of the source. */
  readonly ip: string;
  readonly media: readonly AnnouncedMedia[];
  /** Over UDP packets may overtake each other. */
  readonly transport: 'tcp' | 'udp';
  readonly gate: PublishGate;
  readonly log: EngineLogger;
  /** It was refused, or the hub has ended it. */
  readonly onFailed: (failure: PullFailure) => void;
}

export class PulledStream {
  /** Numbers of the media that are pulled. */
  readonly tracks: readonly number[];
  readonly #options: PulledStreamOptions;
  readonly #leftOut: string;
  #publication: Publication | undefined;
  #publisher: RtspPublisher | undefined;
  #framesBefore = 0;
  #hasEnded = false;

  constructor(options: PulledStreamOptions) {
    this.#options = options;
    this.tracks = tracksToPull(options.media);
    this.#leftOut = leftOutOf(options.media);
  }

  /** The track whose silence is a stall: the video, or else what there is. */
  get watchedTrack(): number {
    const { media } = this.#options;
    return this.tracks.find((index) => media[index]?.kind === 'video') ?? this.tracks[0] ?? 0;
  }

  get figures(): Omit<PullFigures, 'receivedBytes'> {
    const stats = this.#publication?.stream.stats;
    return {
      receivedFrames: stats ? Math.max(0, stats.frames - this.#framesBefore) : 0,
      lostPackets: this.#publisher?.lostPackets ?? 0,
      leftOut: this.#leftOut,
    };
  }

  /** False when it was refused, or ended meanwhile. */
  async publish(): Promise<boolean> {
    const { gate, log, media, transport, onFailed } = this.#options;
    const session = this.#sessionInfo();
    const owner = {
      close: (reason: StreamEndReason) => {
        if (!this.#hasEnded) onFailed(failureOfEnd(reason));
      },
      stats: () => ({ detail: { ...this.#publisher?.unsupported, lostPackets: this.#publisher?.lostPackets ?? 0 } }),
    };
    const result = await admitPublisher(session, owner, gate);
    if (!result.ok) {
      if (!this.#hasEnded) onFailed({ reason: 'publish-rejected', detail: result.detail });
      return false;
    }
    this.#publication = result.publication;
    if (this.#hasEnded) {
      this.#endPublication('error');
      return false;
    }
    this.#framesBefore = result.publication.stream.stats.frames;
    this.#publisher = new RtspPublisher(result.publication, media, transport);
    log.info(sessionFields(session), 'publish started');
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
    this.#hasEnded = true;
    this.#endPublication(reason);
  }

  #sessionInfo(): SessionInfo {
    const { order, ip } = this.#options;
    const { vhost, app, stream, param } = order;
    return {
      ...{ vhost, app, stream, param, ip, clientId: randomId(8), type: 'rtsp-publish' },
      ...{ tcUrl: `rtsp://localhost/${app}`, pageUrl: '' },
    };
  }

  #endPublication(reason: StreamEndReason): void {
    const publication = this.#publication;
    if (!publication) return;
    this.#publication = undefined;
    this.#publisher = undefined;
    publication.end(reason);
    this.#options.log.info({ ...sessionFields(publication.session), reason }, 'publish ended');
    this.#options.gate.ports.onUnpublish(publication.session);
  }
}

function failureOfEnd(reason: StreamEndReason): PullFailure {
  return { reason: reason === 'timeout' ? 'stalled' : 'connection-closed', detail: `the stream ended: ${reason}` };
}
