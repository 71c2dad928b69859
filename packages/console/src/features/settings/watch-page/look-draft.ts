// Form values for the appearance of watch pages: one entry for the server, and one per stream or pattern. Pure.
import { emptyWatchPageLook, type WatchPageLook } from '@srs-stack/contract/values/watch-page.ts';

/** Pattern of the entry that applies to the whole server. */
export const serverPattern = '*';

/** The stored entries, preceded by the server's entry, which is added if missing. */
export function withServer(looks: readonly WatchPageLook[]): WatchPageLook[] {
  const server = looks.find(({ pattern }) => pattern === serverPattern);
  const others = looks.filter(({ pattern }) => pattern !== serverPattern);
  return [server ?? { ...emptyWatchPageLook, pattern: serverPattern }, ...others];
}

/** The entries to store. The server's entry is omitted if empty. */
export function toStored(looks: readonly WatchPageLook[]): WatchPageLook[] {
  return looks.filter((look) => look.pattern !== serverPattern || hasContent(look));
}

function hasContent({ pattern: _, ...fields }: WatchPageLook): boolean {
  return Object.values(fields).some((value) => value !== '');
}

/** A stream for the preview of an entry: the stream itself, an example that matches the pattern, or `fallback` without a valid example. */
export function exampleOf(pattern: string, fallback: string): string {
  if (!pattern.includes('*')) return pattern;
  const filled = pattern === serverPattern ? fallback : pattern.replace(/\*/g, '1');
  return /^[^/]+(?:\/[^/]+)+$/.test(filled) ? filled : fallback;
}

/** The appearance after saving `look`. Empty fields take the values of the server's entry. */
export function previewed(looks: readonly WatchPageLook[], look: WatchPageLook): WatchPageLook {
  const server = looks.find(({ pattern }) => pattern === serverPattern) ?? emptyWatchPageLook;
  const filled = Object.entries(look).filter(([, value]) => value !== '');
  return { ...server, ...Object.fromEntries(filled) };
}

/** Value of `<input type="datetime-local">` in the browser's time zone; '' for none. */
export function toLocalTime(startsAt: string): string {
  const time = new Date(startsAt);
  if (startsAt === '' || Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Converts the value of `<input type="datetime-local">` to RFC 3339 in UTC. */
export function fromLocalTime(local: string): string {
  return local === '' ? '' : new Date(local).toISOString();
}
