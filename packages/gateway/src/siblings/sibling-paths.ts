// Paths of calls between gateways. They are served on a Unix socket per gateway, which only the user of this process can open, and on the
// internal port of the node.
import type { StreamKey } from '@srs-stack/engine';

export const siblingPaths = {
  /** Published streams, followed by every change; the response does not end. */
  announcements: '/announcements',
  /** A stream as FLV tags. */
  stream: '/stream',
  /** Whether the publisher is sending: 409 if so, otherwise 200. Ends nothing. */
  sending: '/sending',
  /** Ends a silent publisher for an authorized one: 200, or 409 while the publisher sends. */
  takeOver: '/take-over',
  keyframe: '/keyframe',
  /** Data about the stream for watch pages, as JSON. */
  watchFacts: '/watch-facts',
  /** Datagrams of SRT callers; the request does not end. */
  datagrams: '/datagrams',
  /** Bytes of HLS that were sent to viewers whose sessions are at the called gateway. */
  viewed: '/viewed',
  /** Reports of players whose viewers may be at the called gateway; returns the positions of the others. */
  reports: '/reports',
  /** Prefix of a viewer's request, followed by its path and query; handled as if the viewer had connected to the called gateway. */
  viewer: '/viewer',
} as const;

/** Address of the viewer of a forwarded request. */
export const viewerAddressHeader = 'x-viewer-address';

/** Path and query for a call. */
export function siblingCall(path: string, key?: StreamKey): string {
  if (!key) return path;
  const { vhost, app, stream } = key;
  return `${path}?${new URLSearchParams({ vhost, app, stream })}`;
}

/** The stream in the query of a call; undefined if there is none. */
export function streamOfCall(query: URLSearchParams): StreamKey | undefined {
  const [vhost, app, stream] = ['vhost', 'app', 'stream'].map((name) => query.get(name));
  return vhost && app && stream ? { vhost, app, stream } : undefined;
}
