// Interface of the engine for its host. The engine binds the media ports; the host passes on media requests of its public HTTP server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { RewindSettings } from '@srs-stack/playback/rewind/rewind-settings.ts';
import type { ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import type { SlateOrder } from '@srs-stack/process/slate-orders.ts';
import type { HlsConfig } from './engine-config.ts';
import type { ClientSnapshot, SlateTotals, StreamSnapshot, WatchFacts } from './engine-snapshot.ts';
import type { DatagramSource } from './ports.ts';
import type { Refusal } from './session-info.ts';
import type { ChannelSnapshot } from './sessions/channel/channel-status.ts';
import type { PullOrder, PullSnapshot } from './sessions/pull/pull-status.ts';
import type { PushOrder, PushSnapshot } from './sessions/push/push-status.ts';
import type { PushTestOrder, PushTestSnapshot } from './sessions/push/target-test/push-test-status.ts';

export interface BoundAddresses {
  readonly rtmpPort: number;
  readonly rtmpsPort?: number;
  readonly srtPort?: number;
  readonly rtspPort?: number;
  readonly rtspsPort?: number;
  /** UDP port for RTP of RTSP sessions; undefined if media uses only TCP or the port could not be bound. */
  readonly rtspUdpPort?: number;
  /** RTSP listeners that could not be bound. The engine runs without them. */
  readonly unbound?: readonly EngineStartError[];
  /** UDP port of WebRTC; undefined without WebRTC. 0: each peer gets a port of `portRange`. */
  readonly rtcPort?: number;
}

/** `rtc-tcp` is WebRTC for peers that cannot send UDP. */
export type MediaListener = 'rtmp' | 'rtmps' | 'rtsp' | 'rtsps' | 'rtsp-udp' | 'srt' | 'rtc' | 'rtc-tcp';

/** A listener could not be bound; `cause` is the system error. */
export class EngineStartError extends Error {
  readonly protocol: MediaListener;
  constructor(protocol: MediaListener, cause: unknown) {
    super(`cannot listen for ${protocol}`, { cause });
    this.name = 'EngineStartError';
    this.protocol = protocol;
  }
}

/** PEM. */
export interface ServerCertificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  readonly minVersion: 'TLSv1.2';
}

export interface StreamsObserver {
  onStart(stream: { readonly key: StreamKey }): void;
  onEnd(stream: { readonly key: StreamKey }): void;
}

export interface Engine {
  /** Binds the listeners. Rejects with an `EngineStartError` if a listener other than RTSP cannot be bound. */
  start(): Promise<BoundAddresses>;
  /** Runs slow code once, so that it is compiled before the first viewers. Call after `start`. Never rejects. */
  warmUp(): Promise<void>;
  /** Ends every session and releases every resource. Idempotent. */
  close(): Promise<void>;
  /**
   * Serves media below an app path: `*.flv`, `*.ts`, `*.aac`, `*.mp3`, and all files of HLS. Also serves WebRTC signalling below
   * `/rtc/v1/`. Returns false for all other paths, without touching the response.
   */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean;
  /** WebSocket-FLV. Returns false for other paths. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** All streams that have a local publisher or players, in order of creation. */
  streams(): StreamSnapshot[];
  /** Whether this gateway or another gateway has a publisher of the stream. Synchronous. */
  isPublished(key: StreamKey): boolean;
  clients(): ClientSnapshot[];
  watchFacts(key: StreamKey): WatchFacts;
  /** The newest keyframe of a stream as an FLV file with one frame; undefined without a keyframe. */
  keyframe(streamId: string): Buffer | undefined;
  /** Inconsistency of the stream table after a bug; undefined if consistent. */
  findCorruption(): string | undefined;
  /** Ends the session with this id; returns false for an unknown id. */
  kick(clientId: string): boolean;
  /**
   * Sends a locally published stream to another gateway: FLV tags from the last keyframe on, then the reason of the end. Takes ownership of
   * the connection that `open` returns. `open` returns undefined if the other gateway has disconnected. Returns false, without calling
   * `open`, if the stream is not published here.
   */
  sendCopy(key: StreamKey, open: () => Duplex | undefined): boolean;
  /** Sets the streams to push to other servers while they are published here. Ends all pushes that are not in `orders`. */
  configurePushes(orders: readonly PushOrder[]): void;
  /** Sets the streams to pull from other servers and to publish here. Ends all pulls that are not in `orders`. */
  configurePulls(orders: readonly PullOrder[]): void;
  /** Sets the contents of the channels. Ends all channels that are not in `orders`. */
  configureChannels(orders: readonly ChannelOrder[]): void;
  /**
   * Sets the streams that continue with a slate while the source is silent or disconnected. Ends active slates that are not in `orders`.
   * Resolves when the slate files are read.
   */
  configureSlates(orders: readonly SlateOrder[]): Promise<void>;
  /** Tests a push target step by step. Returns false when too many tests run. */
  startPushTest(order: PushTestOrder): boolean;
  /** Undefined for an unknown or expired test. */
  pushTest(id: string): PushTestSnapshot | undefined;
  pushes(): PushSnapshot[];
  pulls(): PullSnapshot[];
  channels(): ChannelSnapshot[];
  /**
   * Call when the stream has a new publisher at another gateway. Waits until it is known whether the local publisher sends. If so, returns
   * false; otherwise ends the local publisher.
   */
  yieldStream(key: StreamKey): Promise<boolean>;
  /** Whether a local publisher sends the stream. Waits until the state of its connection is known. */
  isSending(key: StreamKey): Promise<boolean>;
  /** Requests a keyframe from the publisher, if the protocol supports such requests. */
  requestKeyframe(key: StreamKey): void;
  /** Processes a datagram of an SRT session of this engine that another gateway has received. */
  takeDatagram(datagram: Buffer, remote: DatagramSource): void;
  /** Counts bytes that another gateway has sent to an HLS viewer of this engine. @param context session id (`hls_ctx`). */
  countHlsBytes(key: StreamKey, context: string, bytes: number): void;
  /** Notifies the observer when a stream gets or loses its local publisher, except by replacement. Returns a function that unsubscribes. */
  observeStreams(observer: StreamsObserver): () => void;
  /** The newest 100 refusals, newest first. */
  refusals(): Refusal[];
  /** Changes the HLS settings; restarts HLS of running streams. */
  reconfigure(change: { hls?: HlsConfig }): Promise<void>;
  /** Certificate of RTMP and RTSP over TLS for new connections. Without a certificate, all TLS handshakes fail. */
  setCertificate(certificate: ServerCertificate): void;
  /** Sets the rewind windows of all streams; removes older segments. Does nothing without `EngineConfig.rewind`. */
  configureRewind(settings: RewindSettings): void;
  totals(): { receivedBytes: number; sentBytes: number; connections: number };
  slateTotals(): SlateTotals;
}
