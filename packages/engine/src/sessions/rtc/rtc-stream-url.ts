// `webrtc://host/app/stream?query` of the older JSON calls → which stream, and what callbacks are told. Pure.

/** Longest address that is looked at, characters: longer ones are no player's. */
const maxAddressLength = 4096;

export interface RtcStreamAddress {
  /** Undefined when the address has a stream alone. */
  readonly app: string | undefined;
  readonly stream: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Undefined when the text is no address with a host and a stream. Never throws. */
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
