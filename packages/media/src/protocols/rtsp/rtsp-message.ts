// Messages of RTSP 1.0 (RFC 2326 §4 to §7): parsed and serialized requests and responses.

export interface RtspRequest {
  /** Upper case. */
  readonly method: string;
  readonly url: string;
  /** Keyed by lower-case name. If a header is repeated, the last value counts. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A response that a client received. */
export interface ReceivedResponse {
  readonly status: number;
  readonly reason: string;
  /** Keyed by lower-case name. If a header is repeated, the last value counts. */
  readonly headers: ReadonlyMap<string, string>;
  /** Values of all `WWW-Authenticate` headers, because servers offer several schemes. */
  readonly challenges: readonly string[];
  readonly body: string;
}

export interface RtspResponse {
  readonly status: number;
  /** A header with several values is written as several lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

const reasonPhrases: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  453: 'Not Enough Bandwidth',
  454: 'Session Not Found',
  455: 'Method Not Valid in This State',
  459: 'Aggregate Operation Not Allowed',
  461: 'Unsupported Transport',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** `cseq` is the CSeq of the request, or ''. Line breaks in header values become spaces. */
export function writeRtspResponse({ status, headers = {}, body = '' }: RtspResponse, cseq: string): Buffer {
  const lines = [`RTSP/1.0 ${status} ${reasonPhrases[status] ?? 'Error'}`];
  if (cseq !== '') lines.push(`CSeq: ${oneLine(cseq)}`);
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values].flat()) lines.push(`${name}: ${oneLine(value)}`);
  }
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Escapes spaces and control characters in a URL for the request line. */
export function requestTarget(url: string): string {
  return url.replace(/[\s\p{Cc}]/gu, (character) => encodeURIComponent(character));
}

/** Line breaks in header values become spaces. */
export function writeRtspRequest(
  { method, url, headers }: { method: string; url: string; headers: Readonly<Record<string, string>> },
  cseq: number,
): Buffer {
  const lines = [`${method} ${requestTarget(url)} RTSP/1.0`, `CSeq: ${cseq}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${oneLine(value)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
