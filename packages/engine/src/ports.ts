// What the engine needs from its host. The gateway implements the authorization with HTTP callbacks to the control plane.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from './faults.ts';
import type { RefusalReason, SessionInfo } from './session-info.ts';

export type Verdict =
  | {
      readonly allowed: true;
      /** Query that authorizes the URLs in the viewer's playlists; absent if none is needed. */
      readonly carry?: string;
      /**
       * Keeps the publisher's timestamps unchanged, because another stream of this hub has the same clock. Players can then switch between
       * the streams.
       */
      readonly keepsClock?: boolean;
    }
  | { readonly allowed: false; readonly reason: RefusalReason; readonly detail: string };

/** A finished HLS segment, with the fields of the SRS callback `on_hls`. */
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

/** Logger methods that the engine uses; pino has all of them. */
export interface EngineLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Streams that other gateways of the installation publish. */
export interface StreamOrigins {
  /** Time since which another gateway publishes the stream, milliseconds since 1970; undefined if none does. Synchronous. */
  publishedSince(key: StreamKey): number | undefined;
  /** Whether the current or last gateway of the stream is on another machine, whose files are not accessible. */
  isRemote(key: StreamKey): boolean;
  /** Resolves soon after the start, when the streams of all responding gateways are known. Never rejects. */
  whenKnown(): Promise<void>;
  /** Calls the listener when another gateway starts to publish a stream. Returns a function that unsubscribes. */
  onAppear(listener: (key: StreamKey) => void): () => void;
  /** Opens a connection on which the other gateway sends the stream, as in `Engine.sendCopy`. Rejects if the stream has ended. */
  pull(key: StreamKey): Promise<Readable>;
  /**
   * Whether the other gateway still receives media for the stream. True also if that gateway does not respond, so that a missing response
   * never permits a takeover. Waits like `StreamHub.whenPublishable`. Never rejects.
   */
  isSending(key: StreamKey): Promise<boolean>;
  /**
   * Asks the other gateway to end its silent publisher in favour of an authorized local publisher. False if that publisher still sends, or
   * the gateway does not respond. True if the gateway has exited. Never rejects.
   */
  takeOver(key: StreamKey): Promise<boolean>;
  /** Requests a keyframe from the publisher, without waiting for the result. */
  requestKeyframe(key: StreamKey): void;
  /** Forwards a request to the current or last gateway of the stream. Returns false, without touching the response, if not. */
  forward(key: StreamKey, request: IncomingMessage, response: ServerResponse): boolean;
  /** Reports bytes of HLS that were sent here to a viewer of the other gateway. Does not wait. */
  countSent(key: StreamKey, context: string, bytes: number): void;
}

/** Other gateways that share the UDP port of SRT. When a gateway starts or stops, the kernel may deliver datagrams to the wrong gateway. */
export interface DatagramRelay {
  readonly index: number;
  readonly count: number;
  /** Secret that all these gateways share. */
  readonly secret: string;
  /** Passes a datagram to `Engine.takeDatagram` of another gateway. The datagram may be lost. */
  send(gateway: number, datagram: Buffer, remote: DatagramSource): void;
}

export interface DatagramSource {
  readonly address: string;
  readonly port: number;
}

/** Subject of `reviewPlay`: one HLS request, or the start of a player whose stream was pulled. */
export interface PlayRequest extends StreamKey {
  readonly ip: string;
  /** Query as in `SessionInfo.param`, without the parameters that count HLS viewers or wait for parts. */
  readonly param: string;
  readonly pageUrl: string;
  /** False for a playlist, a storyboard and a player of another protocol; true for all other files of HLS. */
  readonly isSegment: boolean;
}

export interface EnginePorts {
  readonly log: EngineLogger;
  /** Whether the name is valid. Called before a name is used in a path or a table. */
  isValidStream(key: StreamKey): boolean;
  /**
   * Name of the source stream of a rendition, in the same app; undefined for other streams. Players can switch between renditions of one
   * source. Synchronous.
   */
  readonly renditionOf?: (key: StreamKey) => string | undefined;
  /** Called before media is accepted. Must not reject: without a verdict, the host must refuse. */
  authorizePublish(session: SessionInfo): Promise<Verdict>;
  /** Called before the first byte is sent. Must not reject. */
  authorizePlay(session: SessionInfo): Promise<Verdict>;
  /**
   * Called in addition to `authorizePlay`: before each HLS playlist and segment, and once after a stream was pulled. Absent: all requests
   * pass. Must neither throw nor reject.
   */
  reviewPlay?(request: PlayRequest): Verdict | Promise<Verdict>;
  /** Called after the end of an admitted publisher. If the stream continues without it, called when the stream ends or is taken over. */
  onUnpublish(session: SessionInfo): void;
  /** Called after the end of an admitted player. */
  onStop(session: SessionInfo): void;
  onHlsSegment(event: HlsSegmentEvent): void;
  /** Whether a push or pull may connect to this numeric address. Default: any. */
  readonly mayContact?: (address: string) => boolean;
  /**
   * Whether this address may send datagrams of a pulled stream, or may be a private server to which a public HLS or RTSP source redirects.
   * Default: never.
   */
  readonly isSourceNetwork?: ((address: string) => boolean) | undefined;
  readonly origins?: StreamOrigins;
  readonly relay?: DatagramRelay;
  /** Called for a bug that ended only one session or reader. Default: logs the error. */
  readonly onFault?: ReportFault;
}
