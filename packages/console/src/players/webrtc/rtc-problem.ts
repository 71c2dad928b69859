// Kinds of WebRTC failures that a page can explain.

/**
 * `unauthorized`: wrong publish secret; `refused`: an access rule or callback refused the session; `busy`: the stream has another
 * publisher; `codec`: no supported codec; `invalid`: malformed request; `unavailable`: the server is busy or restarting; `network`: no
 * response; `media-path`: a response, but no network path for media; `lost`: media stopped; `ended`: the server closed the session;
 * `browser`: the browser does not support WebRTC.
 */
export type RtcProblemKind =
  | 'unauthorized'
  | 'refused'
  | 'busy'
  | 'codec'
  | 'invalid'
  | 'unavailable'
  | 'network'
  | 'media-path'
  | 'lost'
  | 'ended'
  | 'browser';

export interface RtcProblem {
  readonly kind: RtcProblemKind;
  /** English message of the server or browser; may be empty. */
  readonly detail: string;
  /** Codec of the stream, if the server reports it for a `codec` problem. */
  readonly codec?: string;
}

const kindOfStatus: Readonly<Record<number, RtcProblemKind>> = {
  401: 'unauthorized',
  403: 'refused',
  406: 'codec',
  409: 'busy',
  415: 'codec',
};
/** Maximum length of the detail, characters; the rest of the response is cut. */
const maxDetailLength = 200;

/** Maps an error response. @param body failure envelope, or the error page of a proxy. */
export function problemOfResponse(status: number, body: string): RtcProblem {
  const kind = kindOfStatus[status] ?? (status >= 500 ? 'unavailable' : 'invalid');
  const { message, codec } = factsOf(body);
  return { kind, detail: message || `HTTP ${status}`, ...(codec !== '' && { codec }) };
}

function factsOf(body: string): { message: string; codec: string } {
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxDetailLength) : '');
  try {
    const { data } = JSON.parse(body) as { data?: { message?: unknown; codec?: unknown } };
    return { message: text(data?.message), codec: text(data?.codec) };
  } catch {
    return { message: '', codec: '' };
  }
}
