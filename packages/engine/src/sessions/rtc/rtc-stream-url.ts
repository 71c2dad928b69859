// Parses the URL `webrtc://host/app/stream?query` of the older JSON calls. Pure.

/** Longest URL, characters. URLs of players are shorter. */
const maxAddressLength = 4096;

export interface RtcStreamAddress {
  /** Undefined when the path has one part only, the stream. */
  readonly app: string | undefined;
  readonly stream: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Returns undefined when the text is not a URL with a host and a stream. Never throws. */
export function parseRtcStreamUrl(text: string): RtcStreamAddress | undefined {
  if (text.length > maxAddressLength) return undefined;
  const url = URL.parse(text.replace(/^webrtc:/i, 'http:'));
  const path = url?.pathname.replace(/^\//, '');
  if (!url || !path) return undefined;
  const slash = path.lastIndexOf('/');
  const stream = path.slice(slash + 1);
  if (stream === '') return undefined;
  return { app: slash < 0 ? undefined : path.slice(0, slash), stream, query: url.search.slice(1) };
}
