// Parses `/watch/<app>/<stream>`, the path of a watch page. Pure.
import { isValidAppName, isValidStreamName } from '@srs-stack/contract/stream-name.ts';

export interface WatchedStream {
  readonly app: string;
  readonly stream: string;
}

/** Undefined when the path is not a watch page. The last segment is the stream; the app may have several segments. Never throws. */
export function parseWatchPath(pathname: string): WatchedStream | undefined {
  const match = /^\/watch\/(.+)\/([^/]+)$/.exec(pathname);
  if (!match) return undefined;
  const [app, stream] = match.slice(1).map(decoded);
  if (app === undefined || stream === undefined || !isValidAppName(app) || !isValidStreamName(stream)) return undefined;
  return { app, stream };
}

/** Parses `/watch/<app>/<stream>/info.json`. Never throws. */
export function parseInfoPath(pathname: string): WatchedStream | undefined {
  return pathname.endsWith(infoName) ? parseWatchPath(pathname.slice(0, -infoName.length)) : undefined;
}

const infoName = '/info.json';

export function watchPath({ app, stream }: WatchedStream): string {
  return `/watch/${app.split('/').map(encodeURIComponent).join('/')}/${encodeURIComponent(stream)}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
