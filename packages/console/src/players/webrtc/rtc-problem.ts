// Why a WebRTC session failed or ended, as kinds that a page can explain.

/**
 * `unauthorized`: wrong publish secret; `refused`: an access rule or callback refused it; `busy`: another publisher has the stream;
 * `codec`: the server supports no offered codec; `invalid`: malformed request; `unavailable`: the server is busy or restarting; `network`:
 * no response; `media-path`: a response, but no network path for the media; `lost`: the media stopped; `ended`: the server closed the
 * session; `browser`: this browser has no WebRTC.
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
  /** Error message of the server or the browser, in English; may be empty. */
  readonly detail: string;
  /** The codec of the stream for a `codec` problem, if the server reports it. */
  readonly codec?: string;
}

const kindOfStatus: Readonly<Record<number, RtcProblemKind>> = {
  401: 'unauthorized',
  403: 'refused',
  406: 'codec',
  409: 'busy',
  415: 'codec',
};
/** Longest detail that is kept of a response, characters. */
const maxDetailLength = 200;

/** Maps an error response. `body` is the failure envelope, or the error page of a proxy. */
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
