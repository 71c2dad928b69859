// The calls between gateways: on a Unix socket of each that only this node's user can open, and on the internal port of its node.
import type { StreamKey } from '@srs-stack/engine';

export const siblingPaths = {
  /** Streams that are published there, and every change, as long as the connection lasts. */
  announcements: '/announcements',
  /** A stream as FLV tags. */
  stream: '/stream',
  /** Whether the publisher sends: 409, else 200. Ends nobody. */
  sending: '/sending',
  /** Ends a publisher that is silent, for one that is authorized: 200, or 409 while it sends. */
  takeOver: '/take-over',
  keyframe: '/keyframe',
  /** What viewers of the stream may know, as JSON. */
  watchFacts: '/watch-facts',
  /** Datagrams of SRT callers, as long as there are any. */
  datagrams: '/datagrams',
  /** Bytes that were sent to viewers whose sessions are there. */
  viewed: '/viewed',
  /** Reports of players whose viewers may be there: answers the positions of those that are not. */
  reports: '/reports',
  /** A request of a viewer, whose path and query follow: answered as if it had come there. */
  viewer: '/viewer',
} as const;

/** Who asks, when a request of a viewer is passed on. */
export const viewerAddressHeader = 'x-viewer-address';

/** Path and query of a call. */
export function siblingCall(path: string, key?: StreamKey): string {
  if (!key) return path;
  const { vhost, app, stream } = key;
  return `${path}?${new URLSearchParams({ vhost, app, stream })}`;
}

/** The stream a call is about; undefined when it names none. */
export function streamOfCall(query: URLSearchParams): StreamKey | undefined {
  const [vhost, app, stream] = ['vhost', 'app', 'stream'].map((name) => query.get(name));
  return vhost && app && stream ? { vhost, app, stream } : undefined;
}
