// Announcements of streams between gateways: one JSON object per line, first all that are published, then every change. Pure.
import type { StreamKey } from '@srs-stack/engine';

export interface Announcement extends StreamKey {
  readonly type: 'begin' | 'end';
  /** Start of its publisher, milliseconds since 1970: of two gateways with the same stream the later one ends its publisher. */
  readonly sinceMs: number;
}

/** The line after all published streams: changes follow. Later it is a heartbeat. */
export const endOfSnapshot = '';

export function writeAnnouncement({ type, vhost, app, stream, sinceMs }: Announcement): string {
  return `${JSON.stringify({ type, vhost, app, stream, sinceMs })}\n`;
}

/** Undefined for an unknown line, such as one of another version. */
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
