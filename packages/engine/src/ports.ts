// What the engine asks of its host. The gateway answers with HTTP callbacks to the control plane; a test with a few lines.

import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from './faults.ts';
import type { RefusalReason, SessionInfo } from './session-info.ts';

export type Verdict =
  | { readonly allowed: true }
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

export interface EnginePorts {
  readonly log: EngineLogger;
  /** The product's one grammar of names; called before a name reaches a path, a table or a log. */
  isValidStream(key: StreamKey): boolean;
  /** Before media is accepted. Must resolve, never reject: a host that cannot ask refuses (fail closed). */
  authorizePublish(session: SessionInfo): Promise<Verdict>;
  /** Before the first byte is sent. Must resolve, never reject. */
  authorizePlay(session: SessionInfo): Promise<Verdict>;
  /** The session that was allowed to publish has ended. Fire and forget. */
  onUnpublish(session: SessionInfo): void;
  /** The session that was allowed to play has ended. Fire and forget. */
  onStop(session: SessionInfo): void;
  onHlsSegment(event: HlsSegmentEvent): void;
  /** A bug in a handler of one session or reader, which was ended for it; all others go on. By default it is logged. */
  readonly onFault?: ReportFault;
}
