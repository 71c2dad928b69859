// Parses the stream in an RTSP URL: `rtsp://host/app/stream?query`, followed by the control suffix of a track (RFC 2326 §C.1.1).

export interface RtspAddress {
  readonly app: string;
  readonly stream: string;
  /** Query text with a leading `?`; '' for none. */
  readonly param: string;
}

/** Track names: this server uses `trackID=0`, FFmpeg announces `streamid=0`. */
const controlSuffix = /\/(?:trackid|streamid|track|stream)=?(\d+)\/?$/i;

/** Decodes percent-encoded characters. Validates nothing. */
export function parseRtspUrl(url: string): RtspAddress {
  const whole = url.replace(/^rtspu?s?:\/\/[^/?]*/i, '').replace(/\/(?:trackid|streamid)=\d+\/?$/i, '');
  const at = whole.indexOf('?');
  const path = at < 0 ? whole : whole.slice(0, at);
  // Some clients append a slash to the base URL after the query.
  const query = at < 0 ? '' : whole.slice(at + 1).replace(/\/$/, '');
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(percentDecoded);
  return { app: parts.slice(0, -1).join('/'), stream: parts.at(-1) ?? '', param: query === '' ? '' : `?${query}` };
}

/** Returns the track number in a player's SETUP URL; undefined without a number. */
export function trackOfUrl(url: string): number | undefined {
  const number = controlSuffix.exec(url)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Whether a SETUP URL belongs to the attribute `a=control` (RFC 2326 §C.1.1), which is absolute or relative to any base. */
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
