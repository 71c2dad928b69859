// PATCH of a WebRTC session (RFC 9725 §4.3): trickled candidates and ICE restarts. Candidates are acknowledged and ignored, because this
// server responds to checks from any address. ICE restarts are refused.
import { createHash } from 'node:crypto';

const trickleType = 'application/trickle-ice-sdpfrag';
/** Longest fragment, bytes. A browser sends about ten candidates of 100 bytes. */
export const maxFragmentBytes = 16 * 1024;

export interface TricklePatch {
  readonly contentType: string;
  readonly ifMatch: string | undefined;
  readonly fragment: string;
  /** ETag of the session. Undefined when this gateway does not have the session; another gateway may have it. */
  readonly etag: string | undefined;
}

export interface TrickleResponse {
  readonly status: 204 | 404 | 412 | 415 | 422;
  readonly name: string;
  readonly message: string;
}

/** ETag of an offer's ICE session, derived from the ICE user name of the peer. */
export function etagOf(offer: string): string {
  const ufrag = ufragIn(offer) ?? '';
  return `"${createHash('sha256').update(ufrag).digest('hex').slice(0, 16)}"`;
}

function ufragIn(text: string): string | undefined {
  return /^a=ice-ufrag:(\S+)/m.exec(text)?.[1];
}

const responses = {
  taken: { status: 204, name: '', message: '' },
  type: { status: 415, name: 'content-type', message: `the body of a PATCH must be ${trickleType}` },
  unknown: { status: 404, name: 'session-unknown', message: 'this session has ended' },
  stale: { status: 412, name: 'etag-wrong', message: 'If-Match names another ICE session' },
  restart: {
    status: 422,
    name: 'ice-restart-unsupported',
    message: 'ICE restarts are not supported: DELETE the session and POST a new offer',
  },
} as const satisfies Record<string, TrickleResponse>;

export function respondToTrickle({ contentType, ifMatch, fragment, etag }: TricklePatch): TrickleResponse {
  if (contentType.split(';')[0]!.trim().toLowerCase() !== trickleType) return responses.type;
  const named = ifMatch?.trim();
  if (named === '*' || named === '"*"') return responses.restart;
  const current = etag ?? named;
  if (current === undefined) return responses.unknown;
  if (named !== undefined && named !== current) return responses.stale;
  if (ufragIn(fragment) === undefined || etagOf(fragment) === current) return responses.taken;
  return etag === undefined ? responses.unknown : responses.restart;
}
