// What the engine asks of its host. The gateway answers with HTTP callbacks to the control plane; a test with a few lines.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from './faults.ts';
import type { RefusalReason, SessionInfo } from './session-info.ts';

export type Verdict =
  | {
      readonly allowed: true;
      /** Query that opens what a playlist names, as the viewer was let in; absent where nothing is needed. */
      readonly carry?: string;
      /**
       * The publisher's clock is the one of another stream here, which it stays on: its times are kept as they are. Streams that are to be
       * switched between have equal times so.
       */
      readonly keepsClock?: boolean;
    }
  | { readonly allowed: false; readonly reason: RefusalReason; readonly detail: string };

/** A finished HLS segment, in the words of `on_hls`. */
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

/** The little of a logger the engine uses; pino fits. */
export interface EngineLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What other gateways of the installation publish. */
export interface StreamOrigins {
  /**
   * When another gateway got the publisher of that stream, milliseconds since 1970; undefined when none has it. Answers from memory.
   */
  publishedSince(key: StreamKey): number | undefined;
  /** Whether the gateway that has the stream, or had it a moment ago, is on another machine: its files are not here. */
  isRemote(key: StreamKey): boolean;
  /** Resolves when what the others publish is known as far as they answer, soon after the start. Never rejects. */
  whenKnown(): Promise<void>;
  /** Called when another gateway gets the publisher of a stream. Returns the way off. */
  onAppear(listener: (key: StreamKey) => void): () => void;
  /** Opens a connection on which the stream comes as `Engine.sendCopy` writes it. Rejects when there is none any more. */
  pull(key: StreamKey): Promise<Readable>;
  /**
   * Whether the gateway that has the stream receives media for it; true also when it does not answer, because silence is no consent.
   * Waits like `StreamHub.whenPublishable`. Changes nothing, so anyone may cause it. Never rejects.
   */
  isSending(key: StreamKey): Promise<boolean>;
  /**
   * Asks the gateway that has the stream to end a publisher that is silent, for one that is authorized. False while that one sends and
   * when the gateway does not answer; true when the gateway itself is gone. Never rejects.
   */
  takeOver(key: StreamKey): Promise<boolean>;
  /** Asks the publisher for a keyframe, where it can be asked. Fire and forget. */
  requestKeyframe(key: StreamKey): void;
  /**
   * Has the gateway that has the stream, or had it a moment ago, answer a request about it. False, without touching the response,
   * when there is none.
   */
  forward(key: StreamKey, request: IncomingMessage, response: ServerResponse): boolean;
  /** Bytes of HLS that were sent here to a viewer whose session is where the stream is. Fire and forget. */
  countSent(key: StreamKey, context: string, bytes: number): void;
}

/** Other gateways that have the same UDP port for SRT: the kernel may give one of them what is for another when one comes or goes. */
export interface DatagramRelay {
  /** This gateway's number, and of how many. */
  readonly index: number;
  readonly count: number;
  /** The same for all of them, and nobody else's. */
  readonly secret: string;
  /** Hands it to that gateway's `Engine.takeDatagram`; may be lost, as datagrams are. */
  send(gateway: number, datagram: Buffer, remote: DatagramSource): void;
}

export interface DatagramSource {
  readonly address: string;
  readonly port: number;
}

/** A request of a viewer who asks again and again (HLS), as far as the right to watch looks at it. */
export interface PlayRequest extends StreamKey {
  readonly ip: string;
  /** The query with its `?`, without what only counts viewers or waits for parts. */
  readonly param: string;
  readonly pageUrl: string;
  /** A part of the media; false for a playlist. */
  readonly isSegment: boolean;
}

export interface EnginePorts {
  readonly log: EngineLogger;
  /** The product's one grammar of names; called before a name reaches a path, a table or a log. */
  isValidStream(key: StreamKey): boolean;
  /**
   * Name of the stream, in the same app, that this one is a rendition of: players change between all renditions of a stream. Undefined
   * for a stream of its own. Answers from memory.
   */
  readonly renditionOf?: (key: StreamKey) => string | undefined;
  /** Before media is accepted. Must resolve, never reject: a host that cannot ask refuses (fail closed). */
  authorizePublish(session: SessionInfo): Promise<Verdict>;
  /** Before the first byte is sent. Must resolve, never reject. */
  authorizePlay(session: SessionInfo): Promise<Verdict>;
  /**
   * Beside `authorizePlay`: before each playlist and each segment, and once a stream has come from another gateway. Without it all
   * pass. Must not throw, nor reject.
   */
  reviewPlay?(request: PlayRequest): Verdict | Promise<Verdict>;
  /** The session that was allowed to publish has ended. Fire and forget. */
  onUnpublish(session: SessionInfo): void;
  /** The session that was allowed to play has ended. Fire and forget. */
  onStop(session: SessionInfo): void;
  onHlsSegment(event: HlsSegmentEvent): void;
  /** Other gateways; without it there are none. */
  readonly origins?: StreamOrigins;
  readonly relay?: DatagramRelay;
  /** A bug in a handler of one session or reader, which was ended for it; all others go on. By default it is logged. */
  readonly onFault?: ReportFault;
}
