// Which stream an RTSP URL means: `rtsp://host/app/stream?query`, with the control suffix of a track behind it (RFC 2326 §C.1.1).

export interface RtspAddress {
  readonly app: string;
  readonly stream: string;
  /** Query text with its leading `?`, '' when none. */
  readonly param: string;
}

/** How clients name a track: ours are `trackID=0`; `streamid=0` is how FFmpeg announces. */
const controlSuffix = /\/(?:trackid|streamid|track|stream)=?(\d+)\/?$/i;

/** Nothing is validated here. Encoded characters mean what they stand for. */
export function parseRtspUrl(url: string): RtspAddress {
  const whole = url.replace(/^rtspu?s?:\/\/[^/?]*/i, '').replace(/\/(?:trackid|streamid)=\d+\/?$/i, '');
  const at = whole.indexOf('?');
  const path = at < 0 ? whole : whole.slice(0, at);
  // Some clients end the base URL, query and all, with a slash.
  const query = at < 0 ? '' : whole.slice(at + 1).replace(/\/$/, '');
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(percentDecoded);
  return { app: parts.slice(0, -1).join('/'), stream: parts.at(-1) ?? '', param: query === '' ? '' : `?${query}` };
}

/** Number of the track that a SETUP of a player is about; undefined when it names none. */
export function trackOfUrl(url: string): number | undefined {
  const number = controlSuffix.exec(url)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Whether the URL of a SETUP is the one of that `a=control` (RFC 2326 §C.1.1): absolute, or below the base whatever that was. */
export function isControlUrl(url: string, control: string): boolean {
  if (control === '' || control === '*') return false;
  return url === control || url.replace(/\/$/, '').endsWith(`/${control.replace(/^\/|\/$/g, '')}`);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
