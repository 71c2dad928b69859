// A pull of MPEG-TS over any transport: publishes the media and applies the time limits.

import type { Packet } from '@srs-stack/media/packet.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import type { Publication } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { TsPublisher, type TsTarget } from '../../ingest/ts-publisher.ts';
import type { EngineLogger } from '../../ports.ts';
import type { PublishGate } from '../gate/publish-gate.ts';
import { PacedTarget } from './paced-target.ts';
import type { PullConnection, PullConnectionEvents } from './pull.ts';
import { noMetrics, type PullFailure, type PullMetrics, type PullOrder } from './pull-status.ts';
import { PulledPublication } from './pulled-publication.ts';
import type { TsTransport, TsTransportEvents } from './ts-transport.ts';

export interface TsPullOptions {
  readonly order: PullOrder;
  readonly gate: PublishGate;
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Runs the handler of a transport event and catches bugs. */
  readonly run: (work: () => void) => void;
  /** Opens the transport. Its first event must follow after this call returns. */
  readonly open: (events: TsTransportEvents) => TsTransport;
}

export class TsPull implements PullConnection {
  readonly #options: TsPullOptions;
  readonly #events: PullConnectionEvents;
  readonly #transport: TsTransport;
  readonly #beganAtMs: number;
  #place: PulledPublication | undefined;
  #publisher: TsPublisher | undefined;
  #paced: PacedTarget | undefined;
  #lastMetrics: PullMetrics = noMetrics;
  #receivedBytes = 0;
  #hasVideo = false;
  /** Time of the last packet that counts as media, monotonic milliseconds; undefined before the first such packet. */
  #mediaAtMs: number | undefined;
  #isOver = false;

  constructor(options: TsPullOptions, events: PullConnectionEvents) {
    this.#options = options;
    this.#events = events;
    this.#beganAtMs = options.clock();
    const guard = (work: () => void): void => options.run(() => this.#guard(work));
    this.#transport = options.open({
      onConnected: (ip) => this.#publish(ip).catch((error: unknown) => this.#endByBug(error)),
      onPayload: (payload) => guard(() => this.#take(payload)),
      onLoss: (payloads) => guard(() => this.#publisher?.handleLoss(payloads)),
      onRestart: () => guard(() => this.#publisher?.restart()),
      hasRoom: () => this.#paced?.hasRoom() ?? Promise.resolve(),
      isPassedOn: () => this.#paced?.isPassedOn() ?? Promise.resolve(),
      onFailed: (failure) => guard(() => this.#fail(this.#isEmpty(failure) ? this.#noMedia() : failure)),
    });
  }

  get metrics(): PullMetrics {
    if (this.#isOver) return this.#lastMetrics;
    return {
      receivedBytes: this.#receivedBytes,
      receivedFrames: this.#place?.frames ?? 0,
      lostPackets: this.#transport.lostPackets,
      leftOut: leftOutOf(this.#publisher),
    };
  }

  tick(now: number): void {
    if (this.#isOver) return;
    this.#transport.tick(now);
    if (this.#isOver) return;
    const { mediaMs, stallMs } = this.#transport.limits;
    const mediaAtMs = this.#mediaAtMs;
    if (mediaAtMs === undefined && now - this.#beganAtMs >= mediaMs) this.#fail(this.#noMedia());
    else if (mediaAtMs !== undefined && now - mediaAtMs >= stallMs) {
      this.#fail({ reason: 'stalled', detail: '', subject: String(stallMs / 1_000) });
    }
  }

  close(reason: StreamEndReason = 'unpublished'): void {
    this.#release(reason);
  }

  /** Ignores events after the end of the attempt. An error of the source ends the attempt. */
  #guard(work: () => void): void {
    if (this.#isOver) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#fail({ reason: 'input-invalid', detail: error.reason });
    }
  }

  #endByBug(error: unknown): false {
    this.#options.run(() => {
      throw error;
    });
    return false;
  }

  async #publish(ip: string): Promise<boolean> {
    const { order, gate, log, run } = this.#options;
    const place = new PulledPublication({
      ...{ order, ip, gate, log, type: this.#transport.type },
      stats: () => ({ detail: { ...this.#publisher?.leftOut, lostPackets: this.#transport.lostPackets } }),
      onFailed: (failure) => run(() => this.#fail(failure)),
    });
    this.#place = place;
    const publication = await place.admit();
    if (!publication || this.#isOver) {
      place.end('error');
      return false;
    }
    this.#publisher = new TsPublisher(this.#targetOf(publication), ({ unsupportedVideo: codec }) => {
      // Deferred, because the demuxer is still running.
      if (codec) setImmediate(() => run(() => this.#fail(videoUnsupported(codec))));
    });
    return true;
  }

  #targetOf(publication: Publication): TsTarget {
    const counted: TsTarget = {
      countReceived: (bytes) => publication.countReceived(bytes),
      expectVideo: () => publication.expectVideo(),
      setTrack: (track) => publication.setTrack(track),
      push: (packet) => {
        this.#countMedia(packet);
        publication.push(packet);
      },
      end: () => undefined,
    };
    if (!this.#transport.isPaced) return counted;
    const { clock, run } = this.#options;
    this.#paced = new PacedTarget(counted, { clock, run, isBehind: () => this.#transport.isBehind ?? false });
    return this.#paced;
  }

  /** Records the arrival of media. If there is video, only video counts: a source whose video has stopped has stalled. */
  #countMedia({ track }: Packet): void {
    if (track.kind === 'video') this.#hasVideo = true;
    else if (this.#hasVideo) return;
    const isFirst = this.#mediaAtMs === undefined;
    this.#mediaAtMs = this.#options.clock();
    if (isFirst) this.#events.onMedia();
  }

  #take(payload: Buffer): void {
    this.#receivedBytes += payload.length;
    this.#publisher?.handlePayload(payload);
  }

  /** True for a playlist that ended without media. The failure is then the missing media, not the end. */
  #isEmpty({ fault }: PullFailure): boolean {
    return fault === 'playlist-ended' && this.#mediaAtMs === undefined;
  }

  #noMedia(): PullFailure {
    const known = this.#transport.silence?.();
    if (known) return known;
    if (this.#receivedBytes > 0) return { reason: 'input-invalid', detail: 'no MPEG-TS', fault: 'not-mpegts' };
    return { reason: 'timeout', detail: 'no media', fault: 'sends-nothing' };
  }

  #fail(failure: PullFailure): void {
    if (this.#isOver) return;
    this.#release('error');
    this.#events.onFailed(failure);
  }

  #release(reason: StreamEndReason): void {
    if (this.#isOver) return;
    this.#lastMetrics = this.metrics;
    this.#isOver = true;
    this.#transport.close();
    this.#paced?.close();
    this.#publisher = undefined;
    this.#place?.end(reason);
  }
}

function leftOutOf(publisher: TsPublisher | undefined): string {
  const { unsupportedVideo, unsupportedAudio } = publisher?.leftOut ?? {};
  return [unsupportedVideo, unsupportedAudio].filter((codec) => codec !== undefined).join(', ');
}

function videoUnsupported(subject: string): PullFailure {
  const detail = `${subject} video is not supported: set the source to H.264 or HEVC`;
  return { reason: 'codec-unsupported', detail, fault: 'video-unsupported', subject };
}
