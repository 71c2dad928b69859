// A publisher or player, with the field names of the SRS callbacks and HTTP API.
import type { DigestProof } from '@srs-stack/media/protocols/rtsp/digest-proof.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { loggedName } from './logged-name.ts';
import { cutText } from './util/cut-text.ts';

/** `type` of a client in the SRS HTTP API. `copy-publish` (a stream pulled from another gateway) is not listed there. */
export type ClientType =
  | 'rtmp-play'
  | 'hls-play'
  | 'flv-play'
  | 'ts-play'
  | 'aac-play'
  | 'mp3-play'
  | 'rtc-play'
  | 'srt-play'
  | 'rtsp-play'
  | 'fmle-publish'
  | 'flash-publish'
  | 'haivision-publish'
  | 'rtc-publish'
  | 'srt-publish'
  | 'rtsp-publish'
  | 'channel-publish'
  | 'slate-publish'
  | 'udp-publish'
  | 'hls-publish'
  | 'copy-publish';

/** Whether any other publisher may replace this publisher: true for channels. */
export function givesWay({ type }: { readonly type: ClientType }): boolean {
  return type === 'channel-publish';
}

export interface SessionInfo extends StreamKey {
  /** 8 characters, unique in this process; the id in `/api/v1/clients/{id}`. */
  readonly clientId: string;
  readonly type: ClientType;
  /** Address of the peer; behind trusted proxies, the last address in `X-Forwarded-For` that is not a trusted proxy. */
  readonly ip: string;
  /** Query as in callbacks; '' if none. With `?` for RTMP, RTSP and HTTP, such as `?secret=X`; without `?` for SRT and WebRTC. */
  readonly param: string;
  readonly tcUrl: string;
  readonly pageUrl: string;
  /** User agent of the peer, e.g. `Mozilla/5.0 …` or `FMLE/3.0`; absent if not sent. */
  readonly userAgent?: string;
  /** Priority of a spare encoder whose stream has a publisher, 2 or more; only for authorization. */
  readonly priority?: number;
  /** Proof that an RTSP publisher knows the secret; `param` then contains no secret. */
  readonly digest?: DigestProof;
}

/** Maximum length of a kept user agent, characters. User agents of browsers have fewer than 200. */
const maxUserAgentLength = 256;

/** Returns an object to spread into another object; empty without a user agent. */
export function userAgentOf(name: string | undefined): { userAgent?: string } {
  return name ? { userAgent: cutText(name, maxUserAgentLength) } : {};
}

/** Reason of a refusal, with the names of the console's message catalogue. */
export type RefusalReason =
  | 'publish-secret-wrong'
  | 'stream-busy'
  | 'name-invalid'
  | 'callback-refused'
  | 'control-plane-away'
  | 'protocol-error'
  | 'codec-unsupported'
  | 'timeout'
  | 'limit-reached'
  | 'passphrase-wrong'
  | 'usage-limit'
  | 'switched-off'
  | 'draining'
  | 'link-missing'
  | 'link-expired'
  | 'link-wrong'
  | 'password-missing';

export interface Refusal {
  readonly atMs: number;
  readonly protocol: 'rtmp' | 'srt' | 'rtc' | 'rtsp' | 'http';
  readonly action: 'publish' | 'play';
  readonly ip: string;
  readonly app: string;
  readonly stream: string;
  readonly reason: RefusalReason;
  /** English message for logs, without secrets. */
  readonly detail: string;
}

const protocolByFamily: Readonly<Record<string, Refusal['protocol']>> = {
  ...{ rtmp: 'rtmp', fmle: 'rtmp', flash: 'rtmp' },
  ...{ srt: 'srt', haivision: 'srt' },
  ...{ rtc: 'rtc', rtsp: 'rtsp' },
};

/** Protocol of a client type: `http` for HLS, endless files, and publishers without a listener. */
export function protocolOf(type: ClientType): Refusal['protocol'] {
  return protocolByFamily[type.slice(0, type.indexOf('-'))] ?? 'http';
}

/** Whether the session is a stream pulled from another gateway. */
export function isCopy({ type }: Pick<SessionInfo, 'type'>): boolean {
  return type === 'copy-publish';
}

export function actionOf(type: ClientType): Refusal['action'] {
  return type.endsWith('-publish') ? 'publish' : 'play';
}

/** Fields that identify a session in the log. */
export function sessionFields({ clientId, app, stream, ip, type }: SessionInfo): object {
  return { clientId, app: loggedName(app), stream: loggedName(stream), ip, protocol: protocolOf(type) };
}
