// The engine's interface for its host: sessions → hub → outputs. It binds the media listeners; the host owns the public HTTP server and
// passes on requests for media paths.
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
  /** Bound port of the RTMP listener. */
  readonly rtmpPort: number;
  /** Port of RTMP over TLS; undefined without it. */
  readonly rtmpsPort?: number;
  /** Bound port of the SRT listener; undefined without SRT. */
  readonly srtPort?: number;
  /** Bound port of the RTSP listener; undefined without RTSP. */
  readonly rtspPort?: number;
  /** Port of RTSP over TLS; undefined without it. */
  readonly rtspsPort?: number;
  /** UDP port of RTP over RTSP; undefined without it. */
  readonly rtspUdpPort?: number;
  /** RTSP listeners that could not be bound; the engine runs without them. */
  readonly unbound?: readonly EngineStartError[];
  /** UDP port of WebRTC, 0 when each peer has its own port of a range; undefined without WebRTC. */
  readonly rtcPort?: number;
}

/** Kinds of listeners: `rtc-tcp` is WebRTC for peers that cannot send UDP. */
export type MediaListener = 'rtmp' | 'rtmps' | 'rtsp' | 'rtsps' | 'rtsp-udp' | 'srt' | 'rtc' | 'rtc-tcp';

/** A listener could not be bound. `cause` is the system error. */
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
  /** Binds the listeners; rejects with an `EngineStartError` when a port is in use. */
  start(): Promise<BoundAddresses>;
  /** Warms up code that is slow on its first run, for the first viewers. Call after `start`; never rejects. */
  warmUp(): Promise<void>;
  /** Ends every session and releases every resource; idempotent. */
  close(): Promise<void>;
  /**
   * Serves `*.flv`, `*.ts`, `*.m3u8`, `*.aac`, `*.mp3` below an app path, and WebRTC signalling below `/rtc/v1/`. Returns
   * false, without touching the response, when the path is none of them.
   */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean;
  /** WebSocket-FLV; same rule as `handleRequest`. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** All streams that have a publisher or a player, in order of creation. */
  streams(): StreamSnapshot[];
  /** Whether the stream has a publisher, here or at another gateway. Synchronous, from memory. */
  isPublished(key: StreamKey): boolean;
  clients(): ClientSnapshot[];
  /** Data of one stream for its viewers. */
  watchFacts(key: StreamKey): WatchFacts;
  /** The newest keyframe of the stream with that id as an FLV file of one frame; undefined when there is none. */
  keyframe(streamId: string): Buffer | undefined;
  /** Inconsistency of the stream table after a bug; undefined while it is consistent. */
  findCorruption(): string | undefined;
  /** Ends the session of that id; false when there is none. */
  kick(clientId: string): boolean;
  /**
   * Sends a stream that is published here to another gateway: FLV tags from the last keyframe, then the reason of the end. Takes over the
   * connection that `open` returns; `open` returns nothing when the other gateway has disconnected. False, without calling `open`, when the
   * stream is not published here.
   */
  sendCopy(key: StreamKey, open: () => Duplex | undefined): boolean;
  /** Sets the streams to push to other servers whenever they are published here; pushes that are no longer listed end. */
  configurePushes(orders: readonly PushOrder[]): void;
  /** Sets the streams to pull from other servers and to publish here; pulls that are no longer listed end. */
  configurePulls(orders: readonly PullOrder[]): void;
  /** Sets what the channels play; channels that are no longer listed end. */
  configureChannels(orders: readonly ChannelOrder[]): void;
  /**
   * Sets the streams that continue with a slate when their source disconnects; resolves when the files are read. Active slates that are no
   * longer listed end.
   */
  configureSlates(orders: readonly SlateOrder[]): Promise<void>;
  /** Connects to a target of pushes and reports the result of each step. False when too many tests run. */
  startPushTest(order: PushTestOrder): boolean;
  /** Undefined for an unknown or forgotten test. */
  pushTest(id: string): PushTestSnapshot | undefined;
  /** State of the pushes. */
  pushes(): PushSnapshot[];
  pulls(): PullSnapshot[];
  channels(): ChannelSnapshot[];
  /**
   * Call when another gateway has a new publisher for the stream: ends the local publisher if its connection is broken. Waits until the
   * state of that connection is known. False while the local publisher sends.
   */
  yieldStream(key: StreamKey): Promise<boolean>;
  /** Whether the stream has a publisher here that sends. Waits until that is known, like `yieldStream`, but ends nothing. */
  isSending(key: StreamKey): Promise<boolean>;
  /** Requests a keyframe from the publisher of the stream, if its protocol supports it. */
  requestKeyframe(key: StreamKey): void;
  /** Processes a datagram that another gateway has received for an SRT session of this engine. */
  takeDatagram(datagram: Buffer, remote: DatagramSource): void;
  /** Counts bytes that another gateway has sent to the HLS viewer of that context (`hls_ctx`), whose session is here. */
  countHlsBytes(key: StreamKey, context: string, bytes: number): void;
  /** Notifies the observer when a stream gets or loses its publisher here. Returns a function that unsubscribes. */
  observeStreams(observer: StreamsObserver): () => void;
  /** Newest first, at most 100. */
  refusals(): Refusal[];
  /** Changes the HLS settings, also of running streams: their HLS output restarts. */
  reconfigure(change: { hls?: HlsConfig }): Promise<void>;
  /** Certificate of RTMP and RTSP over TLS, for new connections; without one every handshake fails. */
  setCertificate(certificate: ServerCertificate): void;
  /** Sets the rewind window of each stream; older segments are removed. Without `EngineConfig.rewind` there are none. */
  configureRewind(settings: RewindSettings): void;
  totals(): { receivedBytes: number; sentBytes: number; connections: number };
  slateTotals(): SlateTotals;
}
