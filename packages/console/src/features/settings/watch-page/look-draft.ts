// The typed appearance of watch pages: one entry per stream or pattern, and the resulting appearance of a page. Pure.
import { emptyWatchPageLook, type WatchPageLook } from '@srs-stack/contract/values/watch-page.ts';

/** Pattern of the entry for the whole server, which every list contains. */
export const serverPattern = '*';

/** The stored entries: the entry of the server first, then the others in their stored order. */
export function withServer(looks: readonly WatchPageLook[]): WatchPageLook[] {
  const server = looks.find(({ pattern }) => pattern === serverPattern);
  const others = looks.filter(({ pattern }) => pattern !== serverPattern);
  return [server ?? { ...emptyWatchPageLook, pattern: serverPattern }, ...others];
}

/** The entries to store: without the entry of the server if it is empty. */
export function toStored(looks: readonly WatchPageLook[]): WatchPageLook[] {
  return looks.filter((look) => look.pattern !== serverPattern || hasContent(look));
}

function hasContent({ pattern: _, ...fields }: WatchPageLook): boolean {
  return Object.values(fields).some((value) => value !== '');
}

/** A stream whose watch page the entry applies to: the stream itself, or an example for a pattern. */
export function exampleOf(pattern: string, fallback: string): string {
  if (!pattern.includes('*')) return pattern;
  const filled = pattern === serverPattern ? fallback : pattern.replace(/\*/g, '1');
  return /^[^/]+(?:\/[^/]+)+$/.test(filled) ? filled : fallback;
}

/** The appearance of a page after a save: the fields of the entry, and the server's values for empty fields. */
export function previewed(looks: readonly WatchPageLook[], look: WatchPageLook): WatchPageLook {
  const server = looks.find(({ pattern }) => pattern === serverPattern) ?? emptyWatchPageLook;
  const filled = Object.entries(look).filter(([, value]) => value !== '');
  return { ...server, ...Object.fromEntries(filled) };
}

/** Value of `<input type="datetime-local">`, in the time zone of the browser; '' for none. */
export function toLocalTime(startsAt: string): string {
  const time = new Date(startsAt);
  if (startsAt === '' || Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Converts the value of `<input type="datetime-local">` to RFC 3339 in UTC. */
export function fromLocalTime(local: string): string {
  return local === '' ? '' : new Date(local).toISOString();
}
