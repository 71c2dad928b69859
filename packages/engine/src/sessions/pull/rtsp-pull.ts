// A pull over RTSP or RTSPS: one socket with its client, UDP ports if ordered, and the published stream. A redirect opens the next socket
// within the attempt.
import { randomBytes } from 'node:crypto';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { type PullAddress, parsePullAddress } from '@srs-stack/media/protocols/rtsp/pull-address.ts';
import { type PullOutcome, RtspPullClient } from '@srs-stack/media/protocols/rtsp/rtsp-pull-client.ts';
import type { AnnouncedMedia } from '@srs-stack/media/protocols/sdp/announced-media.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { EngineLogger } from '../../ports.ts';
import { guardedLookup, type MayContact, RedirectReach, refuseLiteral } from '../../util/reach.ts';
import type { SharedTurns } from '../../util/shared-turns.ts';
import { failureOfError } from '../../util/socket-failure.ts';
import type { PublishGate } from '../gate/publish-gate.ts';
import { PacedReads } from '../reads/paced-reads.ts';
import { type RestingReads, restingHighWaterMark } from '../reads/resting-reads.ts';
import type { PullConnection, PullConnectionEvents } from './pull.ts';
import { codecFailure, failureOfOutcome, leadsInward } from './pull-failure.ts';
import { noMetrics, type PullFailure, type PullMetrics, type PullOrder } from './pull-status.ts';
import { PulledStream } from './pulled-stream.ts';
import { UdpTrack } from './udp-track.ts';

/** Timeout for opening the connection, milliseconds. A starting camera drops packets for a short time. */
const connectTimeoutMs = 4_000;
/** Timeout from the start of the attempt, including redirects, to the first media, milliseconds. */
const mediaTimeoutMs = 15_000;
/** A source without media for this time is disconnected, milliseconds. */
const stallMs = 10_000;
/** Maximum number of sockets per attempt; each redirect opens another socket. */
const maxSockets = 4;
/** Maximum size of unsent requests and reports to the source, bytes. A source that does not read them is disconnected. */
const maxUnsentBytes = 64 * 1024;
/** Time for the source to read the TEARDOWN, milliseconds. */
const lingerMs = 500;

/** Node applies this option to a socket, but Node's type definitions omit the option. */
const restingRead: object = { highWaterMark: restingHighWaterMark };

export interface RtspPullOptions {
  readonly order: PullOrder;
  readonly gate: PublishGate;
  readonly mayContact: MayContact;
  readonly isSourceNetwork: ((address: string) => boolean) | undefined;
  /** Replaced in tests, where public and private servers have loopback addresses. */
  readonly isPrivate?: ((address: string) => boolean) | undefined;
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly turns: SharedTurns;
  readonly resting: RestingReads;
  /** Runs the handler of a socket event and catches bugs. */
  readonly run: (work: () => void) => void;
}

export class RtspPull implements PullConnection {
  readonly #options: RtspPullOptions;
  readonly #events: PullConnectionEvents;
  readonly #reach: RedirectReach;
  #address: PullAddress | undefined;
  #socket: Socket | undefined;
  #client: RtspPullClient | undefined;
  #reads: PacedReads | undefined;
  #stream: PulledStream | undefined;
  /** UDP tracks by the index of their media; empty over TCP. */
  readonly #udpTracks = new Map<number, UdpTrack>();
  #lastMetrics: Omit<PullMetrics, 'receivedBytes'> = noMetrics;
  #sockets = 0;
  #isConnected = false;
  #hasMedia = false;
  #receivedBytes = 0;
  readonly #beganAtMs: number;
  #socketAtMs: number;
  #mediaAtMs = 0;
  #isOver = false;

  constructor(options: RtspPullOptions, events: PullConnectionEvents) {
    this.#options = options;
    this.#events = events;
    const { mayContact, isSourceNetwork, isPrivate } = options;
    this.#reach = new RedirectReach({ mayContact, isNamed: isSourceNetwork, isPrivate });
    this.#beganAtMs = options.clock();
    this.#socketAtMs = this.#beganAtMs;
    this.#address = parsePullAddress(options.order.url);
    this.#open();
  }

  get metrics(): PullMetrics {
    return { ...(this.#stream?.metrics ?? this.#lastMetrics), receivedBytes: this.#receivedBytes };
  }

  tick(now: number): void {
    if (this.#isOver) return;
    this.#client?.tick(now);
    this.#stream?.tick(now);
    for (const track of this.#udpTracks.values()) track.tick(now);
    if (this.#isOver) return;
    if (!this.#isConnected && now - this.#socketAtMs >= connectTimeoutMs) {
      this.#fail({ reason: 'timeout', detail: 'the source accepted no connection in time', fault: 'not-connected' });
    } else if (!this.#hasMedia && now - this.#beganAtMs >= mediaTimeoutMs) {
      this.#fail(
        this.#client?.isPlaying ? this.#noMedia() : { reason: 'timeout', detail: 'the source did not respond in time' },
      );
    } else if (this.#hasMedia && now - this.#mediaAtMs >= stallMs) this.#fail({ reason: 'stalled', detail: '' });
  }

  close(reason: StreamEndReason = 'unpublished'): void {
    this.#release(reason);
  }

  /** Opens the first socket of the attempt, or the socket of a redirect. */
  #open(): void {
    const address = this.#address;
    if (!address) {
      this.#failLater({ reason: 'address-refused', detail: 'this is not an RTSP address', fault: 'address-invalid' });
      return;
    }
    this.#sockets++;
    if (this.#sockets > maxSockets) {
      this.#fail({ reason: 'failed', detail: 'the source redirects too often', fault: 'redirects-in-circle' });
      return;
    }
    try {
      refuseLiteral(address.host, this.#reach.mayContact);
    } catch (error) {
      this.#failLater(this.#failureOf(error));
      return;
    }
    this.#isConnected = false;
    this.#socketAtMs = this.#options.clock();
    const socket = this.#connect(address);
    this.#socket = socket;
    this.#reads = new PacedReads(socket, this.#options);
    const client = this.#createClient(address, socket);
    this.#client = client;
    const guard = (work: () => void): void => this.#guard(socket, work);
    socket.once(address.isTls ? 'secureConnect' : 'connect', () =>
      guard(() => {
        this.#isConnected = true;
        this.#reach.note(socket.remoteAddress ?? '');
        client.start();
      }),
    );
    socket.on('data', (data) => guard(() => this.#read(socket, client, data)));
    socket.on('error', (error) => guard(() => this.#fail(this.#failureOf(error))));
    socket.on('close', () => guard(() => this.#fail({ reason: 'connection-closed', detail: '' })));
  }

  #connect({ host, port, isTls }: PullAddress): Socket {
    const { order } = this.#options;
    const common = { host, port, lookup: guardedLookup(this.#reach.mayContact), noDelay: true };
    if (!isTls) return connect({ ...common, ...restingRead });
    const name = isIP(host) === 0 ? { servername: host } : {};
    return connectTls({ ...common, ...name, rejectUnauthorized: !order.acceptsAnyCertificate });
  }

  #createClient({ url, credentials }: PullAddress, socket: Socket): RtspPullClient {
    const options = { url, credentials, userAgent: 'SRS Stack', clientNonce: () => randomBytes(8).toString('hex') };
    return new RtspPullClient(options, {
      send: (bytes) => {
        if (socket.writableLength > maxUnsentBytes)
          throw new ProtocolError('rtsp', 'the source does not read the data that is sent to it');
        socket.write(bytes);
      },
      onDescribed: (media) => this.#handleMedia(media),
      onPlaying: () => undefined,
      onServerPorts: (index, ports) => this.#udpTracks.get(index)?.sendReportsTo(ports),
      onFrame: (index, isRtcp, data) => this.#take(index, isRtcp, data),
      onEnd: (outcome) => this.#handleOutcome(outcome),
    });
  }

  #read(socket: Socket, client: RtspPullClient, data: Buffer): void {
    this.#receivedBytes += data.length;
    client.read(data);
    this.#catchUp(socket, client);
    this.#reads?.onRead(data.length, this.#carriesMedia && this.#stream?.isAwaited === false && !client.isHeldBack);
  }

  /** Whether media arrives in the connection, unencrypted. */
  get #carriesMedia(): boolean {
    return !this.#isUdp && this.#address?.isTls === false;
  }

  /** Processes a long read over several turns of the event loop. */
  #catchUp(socket: Socket, client: RtspPullClient): void {
    if (!client.isHeldBack || this.#isOver) return;
    socket.pause();
    this.#options.turns.add(() => {
      this.#guard(socket, () => {
        client.readOn();
        if (client.isHeldBack) this.#catchUp(socket, client);
        else socket.resume();
      });
      return false;
    });
  }

  #handleMedia(media: readonly AnnouncedMedia[]): void {
    const refused = codecFailure(media);
    if (refused) {
      this.#fail(refused);
      return;
    }
    const { order, gate, log, run } = this.#options;
    const socket = this.#socket!;
    const ip = socket.remoteAddress ?? '';
    const onFailed = (failure: PullFailure): void => run(() => this.#fail(failure));
    const transport = this.#isUdp ? 'udp' : 'tcp';
    const readNow = (): boolean => this.#reads?.readNow() ?? false;
    const stream = new PulledStream({ order, ip, media, transport, gate, log, onFailed, readNow });
    this.#stream = stream;
    stream
      .publish()
      .then((isAdmitted) => (isAdmitted && this.#isUdp ? this.#openUdp(socket, stream, media) : isAdmitted))
      .then((isReady) => this.#guard(socket, () => isReady && this.#setUp(stream)))
      .catch((error: unknown) => run(() => rethrow(error)));
  }

  #setUp(stream: PulledStream): void {
    const ports = new Map([...this.#udpTracks].map(([index, track]) => [index, track.ports]));
    this.#client?.setUp(stream.tracks, ports);
  }

  /** Over TLS, media stays inside the connection. */
  get #isUdp(): boolean {
    return this.#options.order.transport === 'udp' && this.#address?.isTls === false;
  }

  /** Returns false if the connection has ended meanwhile or no ports are free. */
  async #openUdp(socket: Socket, stream: PulledStream, media: readonly AnnouncedMedia[]): Promise<boolean> {
    const { clock, run } = this.#options;
    for (const index of stream.tracks) {
      const announced = media[index];
      if (!announced || announced.kind === 'unsupported') continue;
      const onPacket = (isRtcp: boolean, datagram: Buffer): void => this.#takeDatagram(socket, index, isRtcp, datagram);
      const address = socket.remoteAddress ?? '';
      try {
        const track = await UdpTrack.open({ address, clockRate: announced.clockRate, onPacket, clock });
        if (this.#isOver || socket !== this.#socket) track.close();
        else this.#udpTracks.set(index, track);
      } catch (error) {
        run(() => this.#guard(socket, () => this.#fail(failureOfError(error))));
      }
      if (this.#isOver || socket !== this.#socket) return false;
    }
    return true;
  }

  #takeDatagram(socket: Socket, index: number, isRtcp: boolean, datagram: Buffer): void {
    this.#guard(socket, () => {
      this.#receivedBytes += datagram.length;
      this.#take(index, isRtcp, datagram);
    });
  }

  #noMedia(): PullFailure {
    const fault = this.#isUdp ? 'udp-blocked' : 'sends-nothing';
    return { reason: 'timeout', detail: this.#isUdp ? 'no media arrived over UDP' : 'the source sent no media', fault };
  }

  #take(index: number, isRtcp: boolean, data: Buffer): void {
    const now = this.#options.clock();
    if (!isRtcp && index === this.#stream?.watchedTrack) {
      this.#mediaAtMs = now;
      if (!this.#hasMedia) {
        this.#hasMedia = true;
        this.#events.onMedia();
      }
    }
    this.#stream?.handlePacket(index, isRtcp, data, now);
  }

  #handleOutcome(outcome: PullOutcome): void {
    if (outcome.kind !== 'redirect') {
      this.#fail(failureOfOutcome(outcome, this.#isUdp));
      return;
    }
    const before = this.#address!;
    const next = parsePullAddress(outcome.url);
    if (!next) {
      const detail = 'the source redirects to an address that is not RTSP';
      this.#fail({ reason: 'failed', detail, fault: 'redirects-elsewhere' });
      return;
    }
    if (before.isTls && !next.isTls) {
      const detail = 'the source redirects from an encrypted to an unencrypted address';
      this.#fail({ reason: 'failed', detail, fault: 'redirects-unencrypted' });
      return;
    }
    // Sends a password only to the host for which it was entered.
    const credentials = next.host === before.host ? before.credentials : undefined;
    this.#address = { ...next, credentials };
    this.#endStream('error');
    this.#leaveSocket();
    this.#open();
  }

  #failureOf(error: unknown): PullFailure {
    return this.#reach.isInwardError(error) ? leadsInward(this.#address?.host ?? '') : failureOfError(error);
  }

  /** Deferred, because the owner must receive the connection object before its failure. */
  #failLater(failure: PullFailure): void {
    setImmediate(() => this.#options.run(() => this.#fail(failure)));
  }

  #fail(failure: PullFailure): void {
    if (this.#isOver) return;
    this.#release('error');
    this.#events.onFailed(failure);
  }

  #release(reason: StreamEndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#endStream(reason);
    this.#leaveSocket();
  }

  /** Ends the published stream, but keeps its metrics. */
  #endStream(reason: StreamEndReason): void {
    const stream = this.#stream;
    if (!stream) return;
    this.#lastMetrics = stream.metrics;
    this.#stream = undefined;
    stream.end(reason);
  }

  #leaveSocket(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    for (const track of this.#udpTracks.values()) track.close();
    this.#udpTracks.clear();
    if (!socket || socket.destroyed) return;
    if (!this.#isConnected) {
      socket.destroy();
      return;
    }
    try {
      this.#client?.end();
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
    this.#client = undefined;
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  }

  /** Ignores events of a replaced socket. An error of the source ends the attempt. */
  #guard(socket: Socket, work: () => void): void {
    if (this.#isOver || socket !== this.#socket) return;
    this.#options.run(() => {
      try {
        work();
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        this.#fail({ reason: 'input-invalid', detail: error.reason });
      }
    });
  }
}

function rethrow(error: unknown): never {
  throw error;
}
