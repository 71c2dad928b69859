// A push over RTMP or RTMPS: a socket, an RTMP publishing client, and a viewer of a broadcast. Targets of one stream share a broadcast if
// their message stream ids are equal. A challenge or redirect opens a new socket within the attempt.
import { randomBytes } from 'node:crypto';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { videoFourCc } from '@srs-stack/media/containers/flv/flv-format.ts';
import type { PublishAddress } from '@srs-stack/media/protocols/rtmp/publish-address.ts';
import { parsePublishAddress } from '@srs-stack/media/protocols/rtmp/publish-address.ts';
import {
  type PublishOutcome,
  type PublishTerms,
  RtmpPublishClient,
} from '@srs-stack/media/protocols/rtmp/publish-client.ts';
import { BroadcastViewer } from '../../egress/broadcast/broadcast-viewer.ts';
import type { Broadcasts } from '../../egress/broadcast/broadcasts.ts';
import type { StreamBroadcast } from '../../egress/broadcast/stream-broadcast.ts';
import type { Stream } from '../../hub/stream-hub.ts';
import { guardedLookup, type MayContact, RedirectReach, refuseLiteral } from '../../util/reach.ts';
import { failureOfError } from '../../util/socket-failure.ts';
import { acceptTimeoutMs, type PushConnection, type PushConnectionEvents, stallMs } from './push-connection.ts';
import { failureBeforeOpen, failureOfOutcome } from './push-failure.ts';
import { sessionOfPush } from './push-session.ts';
import { noMetrics, type PushFailure, type PushMetrics } from './push-status.ts';
import type { TlsSessions } from './tls-sessions.ts';

/** Maximum number of sockets of one attempt. A challenge needs two further sockets, each redirect one. */
const maxSockets = 6;
/** Maximum size of queued commands and responses, bytes. Disconnects a target that sends requests but does not read. */
const maxUnreadBytes = 64 * 1024;

export interface RtmpPushOptions {
  readonly stream: Stream;
  readonly address: PublishAddress;
  /** Targets to which the server assigned equal message stream ids share broadcasts. */
  readonly broadcastsOf: (messageStreamId: number) => Broadcasts;
  readonly mayContact: MayContact;
  /** Replaced in tests, where all servers have loopback addresses. */
  readonly isPrivate?: ((address: string) => boolean) | undefined;
  readonly tlsSessions: TlsSessions;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class RtmpPush implements PushConnection {
  readonly #options: RtmpPushOptions;
  readonly #events: PushConnectionEvents;
  readonly #reach: RedirectReach;
  #address: PublishAddress;
  #socket: Socket | undefined;
  #client: RtmpPublishClient | undefined;
  #sockets = 0;
  #deadlineMs: number;
  #viewer: BroadcastViewer | undefined;
  #leave: () => void = () => undefined;
  #firstDtsMs: number | undefined;
  #sentBytes = 0;
  #takenBytes = 0;
  #takenAtMs: number;
  #queuedBytes: () => number = () => 0;
  #queuedMs: () => number = () => 0;
  #isOver = false;

  constructor(options: RtmpPushOptions, events: PushConnectionEvents) {
    this.#options = options;
    this.#events = events;
    this.#reach = new RedirectReach(options);
    this.#address = options.address;
    this.#takenAtMs = options.clock();
    this.#deadlineMs = this.#takenAtMs + acceptTimeoutMs;
    this.#open('');
  }

  get metrics(): PushMetrics {
    const viewer = this.#viewer;
    if (!viewer) return noMetrics;
    this.#firstDtsMs ??= viewer.sentDtsMs;
    return {
      sentBytes: this.#sentBytes,
      sentFrames: viewer.sentFrames,
      droppedFrames: viewer.droppedFrames,
      mediaMs: (viewer.sentDtsMs ?? 0) - (this.#firstDtsMs ?? 0),
      queuedBytes: this.#queuedBytes(),
      queuedMs: this.#queuedMs(),
    };
  }

  tick(now: number): void {
    if (this.#isOver) return;
    if (!this.#viewer) {
      if (now >= this.#deadlineMs) this.#fail({ reason: 'timeout', detail: '' });
      return;
    }
    this.#firstDtsMs ??= this.#viewer.sentDtsMs;
    const socket = this.#socket!;
    const taken = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength === 0 || taken !== this.#takenBytes) {
      this.#takenBytes = taken;
      this.#takenAtMs = now;
    } else if (now - this.#takenAtMs >= stallMs) this.#fail({ reason: 'stalled', detail: '' });
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sendClose();
  }

  /** Opens the next socket of the attempt. `authQuery` answers a challenge. */
  #open(authQuery: string): void {
    this.#sockets++;
    if (this.#sockets > maxSockets) {
      this.#fail({ reason: 'failed', detail: 'the target redirects too often' });
      return;
    }
    try {
      refuseLiteral(this.#address.host, this.#reach.mayContact);
    } catch (error) {
      // Waits, so that the caller receives the connection before `onFailed` is called.
      setImmediate(() => this.#fail(this.#failureOf(error)));
      return;
    }
    const socket = this.#connect();
    this.#socket = socket;
    const client = new RtmpPublishClient(
      {
        send: this.#senderTo(socket),
        onAccepted: () => this.#events.onStep?.('connect'),
        onReady: (terms) => this.#join(terms),
        onEnd: (outcome) => this.#handleOutcome(outcome),
      },
      { address: this.#address, authQuery, random: randomBytes },
    );
    this.#client = client;
    let isOpen = false;
    socket.once('connect', () => {
      this.#reach.note(socket.remoteAddress ?? '');
      this.#guard(socket, () => this.#events.onStep?.('port'));
    });
    socket.once(this.#address.isTls ? 'secureConnect' : 'connect', () => {
      isOpen = true;
      if (this.#address.isTls) this.#guard(socket, () => this.#events.onStep?.('tls'));
      client.start();
    });
    socket.on('data', (data) => this.#guard(socket, () => this.#read(socket, client, data)));
    const fail = (failure: PushFailure): void =>
      this.#guard(socket, () => this.#fail(isOpen ? failure : failureBeforeOpen(failure, this.#address.isTls)));
    socket.on('error', (error) => fail(this.#failureOf(error)));
    socket.on('close', () => fail({ reason: 'connection-closed', detail: '' }));
  }

  #connect(): Socket {
    const { host, port, isTls } = this.#address;
    if (isIP(host) !== 0) this.#events.onStep?.('name');
    const common = { host, port, lookup: this.#lookup(), noDelay: true, keepAlive: true };
    if (!isTls) return connect(common);
    const { tlsSessions } = this.#options;
    const session = tlsSessions.find(host, port);
    const socket: TLSSocket = connectTls({
      ...common,
      ...(isIP(host) === 0 && { servername: host }),
      ...(session && { session }),
      minVersion: 'TLSv1.2',
    });
    socket.on('session', (fresh: Buffer) => {
      if (socket.authorized) tlsSessions.keep(host, port, fresh);
    });
    socket.on('error', () => tlsSessions.forget(host, port));
    socket.setNoDelay(true);
    return socket;
  }

  #lookup(): LookupFunction {
    const lookup = guardedLookup(this.#reach.mayContact);
    return (host, options, callback) =>
      lookup(host, options, (error, ...found) => {
        if (!error && !this.#isOver) this.#events.onStep?.('name');
        callback(error, ...found);
      });
  }

  #senderTo(socket: Socket): (parts: readonly Buffer[]) => void {
    let unreadBytes = 0;
    return (parts) => {
      if (unreadBytes > maxUnreadBytes) {
        this.#fail({ reason: 'failed', detail: 'the target does not read the responses sent to it' });
        return;
      }
      socket.cork();
      for (const part of parts) {
        unreadBytes += part.length;
        socket.write(part, () => {
          unreadBytes -= part.length;
        });
      }
      socket.uncork();
    };
  }

  #failureOf(error: unknown): PushFailure {
    if (!this.#reach.isInwardError(error)) return failureOfError(error);
    const detail = `the target redirects to ${this.#address.host} in a private network, which is not allowed`;
    return { reason: 'address-refused', detail };
  }

  #guard(socket: Socket, handle: () => void): void {
    if (!this.#isOver && this.#socket === socket) handle();
  }

  #read(socket: Socket, client: RtmpPublishClient, data: Buffer): void {
    try {
      client.push(data);
      this.#readOn(socket, client);
    } catch (error) {
      this.#fail(failureOfError(error));
    }
  }

  /** Parses the remaining bytes in later turns of the event loop, so that many small messages do not delay other connections. */
  #readOn(socket: Socket, client: RtmpPublishClient): void {
    if (!client.isHeldBack) return;
    socket.pause();
    setImmediate(() =>
      this.#guard(socket, () => {
        try {
          client.readOn();
          socket.resume();
          this.#readOn(socket, client);
        } catch (error) {
          this.#fail(failureOfError(error));
        }
      }),
    );
  }

  #handleOutcome(outcome: PublishOutcome): void {
    if (outcome.kind === 'refused' || outcome.kind === 'unauthorized') {
      this.#fail(failureOfOutcome(outcome));
      return;
    }
    if (outcome.kind === 'redirect' && !this.#follow(outcome.url)) return;
    this.#abandonSocket();
    this.#open(outcome.kind === 'challenge' ? outcome.query : '');
  }

  /**
   * Uses the address of a redirect or reconnect request for the next socket. If the attempt cannot continue at this address, ends the
   * attempt and returns false.
   */
  #follow(url: string): boolean {
    const next = parsePublishAddress(url, this.#address.streamName);
    // A reconnect request that arrives before the target has accepted the stream restarts the attempt.
    if (next && !this.#viewer && (next.isTls || !this.#address.isTls)) {
      // Another host must not receive the user and password.
      const isSameHost = next.host === this.#address.host;
      this.#address = { ...next, credentials: isSameHost ? this.#address.credentials : undefined };
      return true;
    }
    const detail = this.#viewer ? 'the target requests a new connection' : 'the target redirects to a non-RTMP address';
    this.#fail({ reason: this.#viewer ? 'connection-closed' : 'failed', detail });
    return false;
  }

  #abandonSocket(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #join({ messageStreamId, fourCcs }: PublishTerms): void {
    const { stream, broadcastsOf, clock } = this.#options;
    this.#events.onAnnounced?.(fourCcs);
    const codec = stream.video?.codec;
    if (codec && codec !== 'h264' && fourCcs && !fourCcs.has(videoFourCc[codec]) && !fourCcs.has('*')) {
      this.#fail({ reason: 'codec-unsupported', detail: `the target does not accept ${codec} video` });
      return;
    }
    const broadcasts = broadcastsOf(messageStreamId);
    const broadcast: StreamBroadcast = broadcasts.of(stream);
    const viewer = new BroadcastViewer({
      ...{ socket: this.#socket!, isFramed: false, now: clock() },
      player: { session: sessionOfPush(stream.key), countSent: (bytes) => this.#countSent(bytes) },
      onStreamEnd: () => this.#endOfStream(),
    });
    this.#viewer = viewer;
    this.#takenAtMs = clock();
    this.#queuedBytes = () => broadcast.queuedBytesOf(viewer);
    this.#queuedMs = () => broadcast.delayMsOf(viewer);
    this.#leave = () => {
      broadcast.removeViewer(viewer);
      broadcasts.release(stream, broadcast);
    };
    this.#events.onReady();
    broadcast.addViewer(viewer);
  }

  #countSent(bytes: number): void {
    this.#sentBytes += bytes;
  }

  #endOfStream(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sendClose();
    this.#events.onStreamEnd();
  }

  #sendClose(): void {
    this.#leave();
    this.#client?.end();
    if (this.#viewer) this.#viewer.end();
    else this.#socket?.destroy();
  }

  #fail(failure: PushFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave();
    this.#socket?.destroy();
    this.#events.onFailed(failure);
  }
}
