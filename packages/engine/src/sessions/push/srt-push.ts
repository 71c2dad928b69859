// A push over SRT: one SRT caller with a socket. Sends the MPEG-TS stream that all SRT targets share.
import type { SrtTarget } from '@srs-stack/media/protocols/srt/srt-target.ts';
import { type CloseReason, rejectReason, SrtCall } from '@srs-stack/srt';
import type { SharedOutputs } from '../../egress/shared-outputs.ts';
import { obstacleToSrt, type SrtBroadcast } from '../../egress/srt/srt-broadcast.ts';
import type { Stream } from '../../hub/stream-hub.ts';
import type { MayContact } from '../../util/reach.ts';
import { failureOfError } from '../../util/socket-failure.ts';
import { srtAddresses } from '../../util/srt-addresses.ts';
import { acceptTimeoutMs, type PushConnection, type PushConnectionEvents } from './push-connection.ts';
import { noMetrics, type PushFailure, type PushMetrics } from './push-status.ts';
import { SrtFeed } from './srt-feed.ts';

/** Latency for an address without a latency, milliseconds: the default of libsrt. */
const defaultLatencyMs = 120;
const payloadBytes = 1_316;

export interface SrtPushOptions {
  readonly stream: Stream;
  readonly target: SrtTarget;
  readonly broadcasts: SharedOutputs<SrtBroadcast>;
  readonly mayContact: MayContact;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class SrtPush implements PushConnection {
  readonly #options: SrtPushOptions;
  readonly #events: PushConnectionEvents;
  readonly #deadlineMs: number;
  #call: SrtCall | undefined;
  #leave: () => void = () => undefined;
  #feed: SrtFeed | undefined;
  #isOver = false;
  #readyAtMs = 0;

  constructor(options: SrtPushOptions, events: PushConnectionEvents) {
    this.#options = options;
    this.#events = events;
    this.#deadlineMs = options.clock() + acceptTimeoutMs;
    this.#reach().catch((error: unknown) => this.#fail(failureOfError(error)));
  }

  get metrics(): PushMetrics {
    const feed = this.#feed;
    if (!feed) return noMetrics;
    const { sentBytes, sentFrames, droppedFrames } = feed;
    const mediaMs = this.#options.clock() - this.#readyAtMs;
    const queuedBytes = (this.#call?.waitingPackets ?? 0) * payloadBytes;
    // Packets have no media time, so the queued time is estimated from bytes and the mean bitrate.
    const queuedMs = sentBytes === 0 ? 0 : Math.round((queuedBytes * mediaMs) / sentBytes);
    return { sentBytes, sentFrames, droppedFrames, mediaMs, queuedBytes, queuedMs };
  }

  tick(now: number): void {
    if (this.#isOver) return;
    if (this.#feed?.isStalled(now)) this.#fail({ reason: 'stalled', detail: '' });
    else if (!this.#feed && now >= this.#deadlineMs) this.#fail({ reason: 'timeout', detail: '' });
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave();
    this.#call?.close();
  }

  async #reach(): Promise<void> {
    const { target, mayContact } = this.#options;
    const addresses = await srtAddresses(target.host, mayContact);
    if (!this.#isOver) this.#events.onStep?.('name');
    this.#tryNext(addresses, { reason: 'host-unknown', detail: '' });
  }

  /**
   * Calls the addresses of the host one after the other until one responds. Simultaneous calls could open two publishers on one listener.
   */
  #tryNext([address, ...others]: readonly string[], failure: PushFailure): void {
    if (this.#isOver) return;
    if (address === undefined) {
      this.#fail(failure);
      return;
    }
    const { port, streamId, passphrase, keyLength, latencyMs = defaultLatencyMs } = this.#options.target;
    const call = new SrtCall(
      {
        ...{ address, port, streamId },
        ...{ receiverLatencyMs: latencyMs, senderLatencyMs: latencyMs },
        ...(passphrase !== undefined && { passphrase }),
        ...(keyLength !== undefined && { keyLength }),
      },
      {
        onConnected: () => this.#join(call),
        // A refusal is a response, so the listener's other addresses are not called.
        onFailed: (code) => this.#tryNext(code === 0 ? others : [], failureOfRejection(code)),
        onError: (error) => this.#tryNext(this.#feed ? [] : others, failureOfError(error)),
        onClosed: (reason) => this.#fail(failureOfClose(reason)),
      },
    );
    this.#call = call;
  }

  #join(call: SrtCall): void {
    const { stream, broadcasts, clock } = this.#options;
    const obstacle = obstacleToSrt(stream);
    if (obstacle) {
      this.#fail({ reason: 'codec-unsupported', detail: obstacle.detail });
      return;
    }
    const broadcast = broadcasts.of(stream);
    const feed = new SrtFeed(call, broadcast, clock(), () => this.#endOfStream());
    this.#leave = () => {
      broadcast.removeViewer(feed);
      broadcasts.release(stream, broadcast);
    };
    this.#feed = feed;
    this.#readyAtMs = clock();
    this.#events.onStep?.('connect');
    this.#events.onReady();
    broadcast.addViewer(feed);
  }

  #endOfStream(): void {
    if (this.#isOver) return;
    this.close();
    this.#events.onStreamEnd();
  }

  #fail(failure: PushFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave();
    this.#call?.close();
    this.#events.onFailed(failure);
  }
}

/** `peer-timeout`: the peer sent nothing, not even keep-alives. */
function failureOfClose(reason: CloseReason): PushFailure {
  if (reason === 'peer-timeout') return { reason: 'stalled', detail: '' };
  return { reason: 'connection-closed', detail: `SRT: ${reason}` };
}

/**
 * `code` is the rejection code on the wire; 0 means no response. libsrt reports application codes reduced by 1000 (SRT access control
 * guidelines).
 */
function failureOfRejection(code: number): PushFailure {
  if (code === 0) return { reason: 'timeout', detail: '' };
  const isSecret = code === rejectReason.badSecret || code === rejectReason.unsecure;
  const isAuth = code === rejectReason.unauthorized || code === rejectReason.forbidden;
  if (isSecret) return { reason: 'not-authorized', detail: 'the SRT passphrase is missing or wrong' };
  return {
    reason: isAuth ? 'not-authorized' : 'publish-rejected',
    detail: `the target refused the connection with SRT code ${code}`,
  };
}
