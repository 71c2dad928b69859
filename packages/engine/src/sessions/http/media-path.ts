// Parses `/app/stream.ext`. The app is everything before the last slash.
import { defaultVhost, type StreamKey } from '@srs-stack/media/stream-key.ts';

export interface MediaPath extends StreamKey {
  /** Lower case, without the dot, such as `flv` or `m3u8`. */
  readonly extension: string;
  /** The query with its question mark; '' if none. */
  readonly query: string;
}

/** Undefined if the target has no app, name or extension, or invalid percent-encoding. */
export function parseMediaPath(target: string): MediaPath | undefined {
  const queryAt = target.indexOf('?');
  const path = decode(queryAt < 0 ? target : target.slice(0, queryAt));
  const match = path?.match(/^\/(.+)\/([^/]+)\.([A-Za-z0-9]+)$/);
  if (!match) return undefined;
  const [, app, stream, extension] = match as unknown as [string, string, string, string];
  const query = queryAt < 0 ? '' : target.slice(queryAt);
  return { vhost: defaultVhost, app, stream, extension: extension.toLowerCase(), query };
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
