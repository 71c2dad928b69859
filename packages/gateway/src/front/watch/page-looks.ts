// The look of the watch page, from `config/watch-page.json`, which the control plane writes. Pure.

import type { WatchLook } from '@srs-stack/contract/values/watch-info.ts';
import {
  accentColor,
  emptyWatchPageLook,
  type WatchPageLook,
  watchImageName,
  watchThemes,
} from '@srs-stack/contract/values/watch-page.ts';
import { comparePatterns, matchesPattern } from '@srs-stack/playback/stream-pattern.ts';
import type { WatchedStream } from './watch-path.ts';

/** URL path of the page's images. */
export const picturesPath = '/watch/pictures/';

/** Sorted, least specific entry first. */
export type PageLooks = readonly WatchPageLook[];

/**
 * Silently replaces invalid fields by empty fields, because the control plane has validated the file. @throws when the file is not a JSON
 * object with looks.
 */
export function parsePageLooks(text: string): PageLooks {
  const { looks } = JSON.parse(text) as { looks?: unknown };
  if (!Array.isArray(looks)) throw new Error('the field `looks` is missing or not a list');
  return looks.map(toLook).sort((a, b) => comparePatterns(b.pattern, a.pattern));
}

/** Takes each field from the most specific entry that sets the field. */
export function lookOf(
  looks: PageLooks,
  { app, stream }: WatchedStream,
): WatchLook & { readonly hidesViewers: boolean } {
  const merged: Record<string, string> = {};
  for (const look of looks) {
    if (!matchesPattern(look.pattern, `${app}/${stream}`)) continue;
    for (const [name, value] of Object.entries(look)) if (value !== '') merged[name] = value;
  }
  const { name, text, picture, logo, accent, theme, audience, startsAt } = { ...emptyWatchPageLook, ...merged };
  const pathOf = (file: string): string | null => (file === '' ? null : picturesPath + file);
  return {
    ...{ name: name || stream, text, picture: pathOf(picture), logo: pathOf(logo) },
    ...{ accent, theme: theme || 'system', startsAt: startsAt || null },
    hidesViewers: audience === 'hidden',
  };
}

function toLook(entry: unknown): WatchPageLook {
  const given = (entry ?? {}) as Record<string, unknown>;
  const text = (name: keyof WatchPageLook, fits = /^/): string => {
    const value = given[name];
    return typeof value === 'string' && fits.test(value) ? value : '';
  };
  return {
    ...{ pattern: text('pattern'), name: text('name'), text: text('text') },
    ...{ picture: text('picture', watchImageName), logo: text('logo', watchImageName) },
    accent: text('accent', accentColor),
    theme: watchThemes.find((theme) => theme === given.theme) ?? '',
    audience: given.audience === 'hidden' ? 'hidden' : given.audience === 'shown' ? 'shown' : '',
    startsAt: Number.isNaN(Date.parse(text('startsAt'))) ? '' : text('startsAt'),
  };
}
