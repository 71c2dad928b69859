// The engine as its host sees it: sessions → hub → outputs. It binds the media listeners; the host owns the public HTTP
// server and hands over requests for media paths.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { RewindSettings } from '@srs-stack/process/rewind/rewind-settings.ts';
import type { HlsConfig } from './engine-config.ts';
import type { ClientSnapshot, StreamSnapshot, WatchFacts } from './engine-snapshot.ts';
import type { DatagramSource } from './ports.ts';
import type { Refusal } from './session-info.ts';

export interface BoundAddresses {
  /** Port the RTMP listener got. */
  readonly rtmpPort: number;
  /** Port of RTMP over TLS; undefined without it. */
  readonly rtmpsPort?: number;
  /** Port the SRT listener got; undefined without SRT. */
  readonly srtPort?: number;
  /** UDP port of WebRTC, 0 when each peer has its own of a range; undefined without WebRTC. */
  readonly rtcPort?: number;
}

/** What is bound: `rtc-tcp` is WebRTC for peers who cannot send UDP. */
export type MediaListener = 'rtmp' | 'rtmps' | 'srt' | 'rtc' | 'rtc-tcp';

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
  /** Binds the listeners; rejects with an `EngineStartError` when a port is taken. */
  start(): Promise<BoundAddresses>;
  /** Makes ready for the first viewers what is slow when it runs for the first time. After `start`; never rejects. */
  rehearse(): Promise<void>;
  /** Ends every session and releases every resource; idempotent. */
  close(): Promise<void>;
  /**
   * Serves `*.flv`, `*.ts`, `*.m3u8`, `*.aac`, `*.mp3` below an app path, and WebRTC signalling below `/rtc/v1/`. Returns
   * false, without touching the response, when the path is none of them.
   */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean;
  /** WebSocket-FLV; same rule as `handleRequest`. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** All streams that have a publisher or a player, in order of first appearance. */
  streams(): StreamSnapshot[];
  /** Whether the stream has a publisher, here or at another gateway. Answers from memory. */
  isPublished(key: StreamKey): boolean;
  clients(): ClientSnapshot[];
  /** What viewers of one stream may know. */
  watchFacts(key: StreamKey): WatchFacts;
  /** The newest keyframe of the stream of that id as an FLV file of one picture; undefined when there is none. */
  keyframe(streamId: string): Buffer | undefined;
  /** What is wrong with the table of streams, after a bug; undefined while streams can go on. */
  findCorruption(): string | undefined;
  /** Ends the session of that id; false when there is none. */
  kick(clientId: string): boolean;
  /**
   * Sends a stream that is published here to another gateway, on a connection it takes over: FLV tags from the last keyframe on, then
   * why it ended. False, without opening it, when it is not published here. `open` gives nothing when the other one has left.
   */
  sendCopy(key: StreamKey, open: () => Duplex | undefined): boolean;
  /**
   * Another gateway has a publisher for the stream: lets go of the one here when its line is dead. False while that one sends;
   * waits until that is clear.
   */
  yieldStream(key: StreamKey): Promise<boolean>;
  /** Whether the stream has a publisher here that sends; waits while that is unclear, as `yieldStream` does, and ends nobody. */
  isSending(key: StreamKey): Promise<boolean>;
  /** Asks the publisher of the stream for a keyframe, where it can be asked. */
  requestKeyframe(key: StreamKey): void;
  /** A datagram of an SRT caller of this engine that another gateway got. */
  takeDatagram(datagram: Buffer, remote: DatagramSource): void;
  /** Another gateway has sent so much of the stream to the HLS viewer of that context (`hls_ctx`), whose session is here. */
  countHlsBytes(key: StreamKey, context: string, bytes: number): void;
  /** Tells of streams that get a publisher here, and lose it. Returns the way off. */
  observeStreams(observer: StreamsObserver): () => void;
  /** Newest first, at most 100. */
  refusals(): Refusal[];
  /** Takes effect for running streams too: their HLS output restarts. */
  reconfigure(change: { hls?: HlsConfig }): Promise<void>;
  /** Certificate of RTMP over TLS, from the next connection on; without one every handshake fails. */
  setCertificate(certificate: ServerCertificate): void;
  /** How much of each stream is kept for rewinding, from now on; what is above it goes. Without `EngineConfig.rewind` nothing is. */
  configureRewind(settings: RewindSettings): void;
  totals(): { receivedBytes: number; sentBytes: number; connections: number };
}
