// The calls between gateways: on a Unix socket per gateway that only this user can open, and on the internal port of its node.
import type { StreamKey } from '@srs-stack/engine';

export const siblingPaths = {
  /** Streams published there, followed by every change; the response does not end. */
  announcements: '/announcements',
  /** A stream as FLV tags. */
  stream: '/stream',
  /** Whether the publisher is sending: 409, else 200. Ends nothing. */
  sending: '/sending',
  /** Ends a silent publisher in favour of an authorized one: 200, or 409 while it is sending. */
  takeOver: '/take-over',
  keyframe: '/keyframe',
  /** Data of the stream for viewers, as JSON. */
  watchFacts: '/watch-facts',
  /** Datagrams of SRT callers; the request does not end. */
  datagrams: '/datagrams',
  /** Bytes of HLS sent to viewers whose sessions are there. */
  viewed: '/viewed',
  /** Reports of players whose viewers may be there: returns the positions of those that are not. */
  reports: '/reports',
  /** Prefix of a viewer's request, followed by its path and query: handled as if it had arrived there. */
  viewer: '/viewer',
} as const;

/** The viewer of a forwarded request. */
export const viewerAddressHeader = 'x-viewer-address';

/** Path and query of a call. */
export function siblingCall(path: string, key?: StreamKey): string {
  if (!key) return path;
  const { vhost, app, stream } = key;
  return `${path}?${new URLSearchParams({ vhost, app, stream })}`;
}

/** The stream of a call; undefined when it names none. */
export function streamOfCall(query: URLSearchParams): StreamKey | undefined {
  const [vhost, app, stream] = ['vhost', 'app', 'stream'].map((name) => query.get(name));
  return vhost && app && stream ? { vhost, app, stream } : undefined;
}
