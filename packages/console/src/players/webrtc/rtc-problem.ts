// Why a WebRTC session did not come about or ended, in kinds that a page can explain.

/**
 * `unauthorized`: wrong publish secret; `refused`: somebody's rule said no; `busy`: another publisher has the stream;
 * `codec`: nothing the server can take was offered; `invalid`: the call itself was wrong; `unavailable`: the server is
 * busy or restarting; `network`: no answer; `media-path`: an answer, but no way for the media; `lost`: the media stopped;
 * `ended`: the server closed the session; `browser`: no WebRTC here.
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
  /** What the server or the browser said, in English, for the curious; may be empty. */
  readonly detail: string;
}

const kindOfStatus: Readonly<Record<number, RtcProblemKind>> = {
  401: 'unauthorized',
  403: 'refused',
  406: 'codec',
  409: 'busy',
  415: 'codec',
};
/** Longest detail kept of an answer, characters. */
const maxDetailLength = 200;

/** Maps an answer other than success. `body` is the failure envelope, or anything a proxy says. */
export function problemOfAnswer(status: number, body: string): RtcProblem {
  const kind = kindOfStatus[status] ?? (status >= 500 ? 'unavailable' : 'invalid');
  return { kind, detail: messageOf(body) || `HTTP ${status}` };
}

function messageOf(body: string): string {
  try {
    const { data } = JSON.parse(body) as { data?: { message?: unknown } };
    return typeof data?.message === 'string' ? data.message.slice(0, maxDetailLength) : '';
  } catch {
    return '';
  }
}

/** The codec a refusal is about: the stream's when the server names it, else the one the browser lacks. */
export function codecOfProblem({ detail }: RtcProblem): string {
  return /this stream is (\w+)/i.exec(detail)?.[1] ?? 'h264';
}
