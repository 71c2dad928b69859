// Builds and parses paths of the console, which start with a language segment. Pure.
import { isLocale, type Locale } from '../i18n/languages.ts';

const screens = {
  setup: 'routers-setup',
  login: 'routers-login',
  logout: 'routers-logout',
  scenario: 'routers-scenario',
  settings: 'routers-settings',
  components: 'routers-components',
  dashboard: 'routers-dashboard',
  contact: 'routers-contact',
  streams: 'routers-streams',
  rooms: 'routers-rooms',
} as const;
export type Screen = keyof typeof screens;

/** Path of a screen, e.g. `/zh/routers-login`. */
export function screenPath(locale: Locale, screen: Screen): string {
  return `/${locale}/${screens[screen]}`;
}

/** Replaces or adds the language segment of a path. */
export function withLocale(pathname: string, locale: Locale): string {
  const [, first = '', ...rest] = pathname.split('/');
  return isLocale(first) ? ['', locale, ...rest].join('/') : `/${locale}${pathname}`;
}

/** The language segment of a path; undefined if unsupported. */
export function localeOfPath(pathname: string): Locale | undefined {
  const first = pathname.split('/')[1];
  return isLocale(first) ? first : undefined;
}

/** The screen of a path; undefined if unknown. */
export function screenOfPath(pathname: string): Screen | undefined {
  const [, , segment, ...rest] = pathname.split('/');
  if (rest.some((part) => part !== '')) return undefined;
  return (Object.keys(screens) as Screen[]).find((screen) => screens[screen] === segment);
}
