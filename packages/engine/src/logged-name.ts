// Names from unauthenticated peers for logs and the list of refusals, without possible secrets. Used for every refusal.

/** Longest name that is kept, characters. */
const maxLoggedLength = 128;
/** Characters that may start the parameters of a malformed name; no valid name contains them. */
const parameterStart = /[?#&=;,\s]/;
const cut = '…';
const streamIdStart = '#!::';
/** Keys of a stream id whose values name the stream. */
const shownKeys: readonly string[] = ['h', 'r', 'm'];

/** App or stream name without parameters. */
export function loggedName(name: string): string {
  const end = name.search(parameterStart);
  const plain = end < 0 ? name : `${name.slice(0, end)}${cut}`;
  return plain.length > maxLoggedLength ? `${plain.slice(0, maxLoggedLength)}${cut}` : plain;
}

/** SRT stream id with only the values that name the stream: `#!::r=live/s,m=publish,…`. */
export function loggedStreamId(streamId: string): string {
  if (!streamId.startsWith(streamIdStart)) return loggedName(streamId);
  const pairs = streamId.slice(streamIdStart.length).slice(0, maxLoggedLength).split(',');
  const shown = pairs.map((pair) => {
    const [key = '', ...value] = pair.trim().split('=');
    return shownKeys.includes(key) ? `${key}=${loggedName(value.join('='))}` : cut;
  });
  return `${streamIdStart}${shown.join(',')}`;
}
