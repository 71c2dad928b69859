// Announcements of streams between gateways, one JSON object per line. A gateway first announces all published streams, then every change.
// Pure.
import type { StreamKey } from '@srs-stack/engine';

export interface Announcement extends StreamKey {
  readonly type: 'begin' | 'end';
  /** Start of the publisher, milliseconds since 1970. When two gateways publish one stream, the publisher with the later start is ended. */
  readonly sinceMs: number;
}

/** An empty line ends the list of published streams; changes follow. Later empty lines are heartbeats. */
export const endOfSnapshot = '';

export function writeAnnouncement({ type, vhost, app, stream, sinceMs }: Announcement): string {
  return `${JSON.stringify({ type, vhost, app, stream, sinceMs })}\n`;
}

/** Undefined for an unknown line, such as a line of another version. */
export function parseAnnouncement(line: string): Announcement | undefined {
  try {
    const { type, vhost, app, stream, sinceMs } = JSON.parse(line) as Record<string, unknown>;
    if (type !== 'begin' && type !== 'end') return undefined;
    if (typeof vhost !== 'string' || typeof app !== 'string' || typeof stream !== 'string') return undefined;
    return typeof sinceMs === 'number' ? { type, vhost, app, stream, sinceMs } : undefined;
  } catch {
    return undefined;
  }
}
