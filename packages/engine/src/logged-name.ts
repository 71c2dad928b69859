// Shortens names that peers have sent for logs and the list of refusals, and removes possible secrets.

/** Maximum length, characters. */
const maxLoggedLength = 128;
/** Characters that may start the parameters of a malformed name. Valid names contain none of them. */
const parameterStart = /[?#&=;,\s]/;
const cut = '…';
const streamIdStart = '#!::';
/** Keys of a stream id whose values may be logged. */
const shownKeys: readonly string[] = ['h', 'r', 'm'];

/** Removes parameters from an app or stream name. */
export function loggedName(name: string): string {
  const end = name.search(parameterStart);
  const plain = end < 0 ? name : `${name.slice(0, end)}${cut}`;
  return plain.length > maxLoggedLength ? `${plain.slice(0, maxLoggedLength)}${cut}` : plain;
}

/** Keeps only host, resource and mode of an SRT stream id: `#!::r=live/s,m=publish,…`. Other texts: like `loggedName`. */
export function loggedStreamId(streamId: string): string {
  if (!streamId.startsWith(streamIdStart)) return loggedName(streamId);
  const pairs = streamId.slice(streamIdStart.length).slice(0, maxLoggedLength).split(',');
  const shown = pairs.map((pair) => {
    const [key = '', ...value] = pair.trim().split('=');
    return shownKeys.includes(key) ? `${key}=${loggedName(value.join('='))}` : cut;
  });
  return `${streamIdStart}${shown.join(',')}`;
}
