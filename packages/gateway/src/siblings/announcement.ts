// What gateways tell each other about their streams: one JSON object per line, first all that are published, then every
// change. Pure.
import type { StreamKey } from '@srs-stack/engine';

export interface Announcement extends StreamKey {
  readonly type: 'begin' | 'end';
  /** When its publisher came, milliseconds since 1970: of two gateways that have the same stream the later one gives it up. */
  readonly sinceMs: number;
}

/** The line after all that are published: what follows are changes. Later it is a sign of life. */
export const endOfSnapshot = '';

export function writeAnnouncement({ type, vhost, app, stream, sinceMs }: Announcement): string {
  return `${JSON.stringify({ type, vhost, app, stream, sinceMs })}\n`;
}

/** Undefined for a line that is none, such as one of another version. */
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
