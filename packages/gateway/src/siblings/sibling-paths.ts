// Paths of calls between gateways. Served on a Unix socket, which only the user of this process can open, and on the internal port of the
// node.
import type { StreamKey } from '@srs-stack/engine';

export const siblingPaths = {
  /** Published streams, then every change. The response does not end. */
  announcements: '/announcements',
  stream: '/stream',
  /** Checks whether the publisher is sending (409) or not (200). Ends nothing. */
  sending: '/sending',
  /** Ends a silent publisher, to admit another publisher: responds with 200, or with 409 while the publisher is sending. */
  takeOver: '/take-over',
  keyframe: '/keyframe',
  watchFacts: '/watch-facts',
  /** Datagrams of SRT callers. The request does not end. */
  datagrams: '/datagrams',
  /** Number of HLS bytes sent to viewers whose sessions are at the called gateway. */
  viewed: '/viewed',
  /** Playback reports of viewers that the called gateway may have. Responds with the positions of the reports of unknown viewers. */
  reports: '/reports',
  /** Prefix for the path and query of a viewer's request. The called gateway handles the request as if the viewer had connected to it. */
  viewer: '/viewer',
} as const;

/** Header with the viewer's address in a forwarded request. */
export const viewerAddressHeader = 'x-viewer-address';

/** Path and query for a call. */
export function siblingCall(path: string, key?: StreamKey): string {
  if (!key) return path;
  const { vhost, app, stream } = key;
  return `${path}?${new URLSearchParams({ vhost, app, stream })}`;
}

/** The stream in the query of a call; undefined without a stream. */
export function streamOfCall(query: URLSearchParams): StreamKey | undefined {
  const [vhost, app, stream] = ['vhost', 'app', 'stream'].map((name) => query.get(name));
  return vhost && app && stream ? { vhost, app, stream } : undefined;
}
