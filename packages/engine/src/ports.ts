// What the engine requires of its host. The gateway implements it with HTTP callbacks to the control plane; tests with a few lines.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from './faults.ts';
import type { RefusalReason, SessionInfo } from './session-info.ts';

export type Verdict =
  | {
      readonly allowed: true;
      /** Query that authorizes the URLs in a playlist for the admitted viewer; omitted where none is needed. */
      readonly carry?: string;
      /**
       * Keeps the publisher's timestamps unchanged, because they are on the clock of another stream here. Players can then switch between
       * the streams, which have the same times.
       */
      readonly keepsClock?: boolean;
    }
  | { readonly allowed: false; readonly reason: RefusalReason; readonly detail: string };

/** A finished HLS segment; its fields correspond to those of the SRS callback `on_hls`. */
export interface HlsSegmentEvent extends StreamKey {
  readonly clientId: string;
  readonly ip: string;
  readonly param: string;
  readonly tcUrl: string;
  /** Absolute path of the segment file. */
  readonly file: string;
  readonly durationSeconds: number;
  /** `app/name-0-1700000000000.ts`. */
  readonly url: string;
  /** Absolute path of the playlist file. */
  readonly m3u8: string;
  /** `app/name.m3u8`. */
  readonly m3u8Url: string;
  readonly sequenceNumber: number;
}

/** The logger methods that the engine uses; pino is compatible. */
export interface EngineLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Streams published at other gateways of the installation. */
export interface StreamOrigins {
  /**
   * Time since which another gateway has the publisher of that stream, milliseconds since 1970; undefined when none has it. Synchronous.
   */
  publishedSince(key: StreamKey): number | undefined;
  /** Whether the gateway that has the stream, or had it until recently, is on another machine, so that its files are not accessible. */
  isRemote(key: StreamKey): boolean;
  /** Resolves when the streams of the gateways that respond are known, soon after the start. Never rejects. */
  whenKnown(): Promise<void>;
  /** Called when another gateway gets the publisher of a stream. Returns a function that unsubscribes. */
  onAppear(listener: (key: StreamKey) => void): () => void;
  /** Opens a connection on which the stream is sent as by `Engine.sendCopy`. Rejects when it has ended. */
  pull(key: StreamKey): Promise<Readable>;
  /**
   * Whether the gateway that has the stream receives media for it. True also when that gateway does not respond: a missing response must
   * not permit a takeover. Waits like `StreamHub.whenPublishable`. Has no side effect, so it needs no authorization. Never rejects.
   */
  isSending(key: StreamKey): Promise<boolean>;
  /**
   * Requests the stream's gateway to end its silent publisher in favour of an authorized one here. False while that publisher sends, and
   * when the gateway does not respond; true when the gateway itself has ended. Never rejects.
   */
  takeOver(key: StreamKey): Promise<boolean>;
  /** Requests a keyframe from the publisher, if supported. Fire and forget. */
  requestKeyframe(key: StreamKey): void;
  /**
   * Forwards a request to the gateway that has the stream, or had it until recently. False, without touching the response, when there is
   * none.
   */
  forward(key: StreamKey, request: IncomingMessage, response: ServerResponse): boolean;
  /** Reports bytes of HLS sent here for a viewer whose session is at the gateway of the stream. Fire and forget. */
  countSent(key: StreamKey, context: string, bytes: number): void;
}

/** Other gateways on the same UDP port for SRT: when one starts or stops, the kernel may deliver a datagram to the wrong one. */
export interface DatagramRelay {
  /** Index of this gateway, and the number of gateways. */
  readonly index: number;
  readonly count: number;
  /** Shared secret of these gateways. */
  readonly secret: string;
  /** Passes a datagram to that gateway's `Engine.takeDatagram`; may be lost, as datagrams are. */
  send(gateway: number, datagram: Buffer, remote: DatagramSource): void;
}

export interface DatagramSource {
  readonly address: string;
  readonly port: number;
}

/** Data of one HLS request, for playback authorization: HLS viewers are authorized per request. */
export interface PlayRequest extends StreamKey {
  readonly ip: string;
  /** The query with its `?`, without parameters for counting viewers and waiting for parts. */
  readonly param: string;
  readonly pageUrl: string;
  /** True for media; false for a playlist. */
  readonly isSegment: boolean;
}

export interface EnginePorts {
  readonly log: EngineLogger;
  /** Whether the name matches the product's grammar; called before a name is used in a path, a table or a log. */
  isValidStream(key: StreamKey): boolean;
  /**
   * Name of the source stream, in the same app, of this rendition: players switch between all renditions of a stream. Undefined for a
   * stream that is not a rendition. Synchronous, from memory.
   */
  readonly renditionOf?: (key: StreamKey) => string | undefined;
  /** Called before media is accepted. Must resolve, never reject: a host without a verdict refuses (fail closed). */
  authorizePublish(session: SessionInfo): Promise<Verdict>;
  /** Called before the first byte is sent. Must resolve, never reject. */
  authorizePlay(session: SessionInfo): Promise<Verdict>;
  /**
   * Called in addition to `authorizePlay`: before each playlist and each segment, and once after a stream was pulled from another gateway
   * or on demand. Undefined: all requests pass. Must neither throw nor reject.
   */
  reviewPlay?(request: PlayRequest): Verdict | Promise<Verdict>;
  /** An admitted publisher session has ended. Fire and forget. */
  onUnpublish(session: SessionInfo): void;
  /** An admitted player session has ended. Fire and forget. */
  onStop(session: SessionInfo): void;
  onHlsSegment(event: HlsSegmentEvent): void;
  /** Whether a push may connect to that numeric address; default: any. */
  readonly mayContact?: (address: string) => boolean;
  /**
   * Whether that address may send datagrams to a pulled source, or be a private server to which a public HLS source refers; default: never.
   */
  readonly isSourceNetwork?: ((address: string) => boolean) | undefined;
  /** Other gateways; undefined: none. */
  readonly origins?: StreamOrigins;
  readonly relay?: DatagramRelay;
  /** A bug in a handler of one session or reader, which was ended; all others continue. Default: it is logged. */
  readonly onFault?: ReportFault;
}
