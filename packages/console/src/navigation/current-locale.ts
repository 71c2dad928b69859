// The language in the URL, provided to all screens.
import { createContext, useContext } from 'react';
import { defaultLocale, type Locale } from '../i18n/languages.ts';
import { type Screen, screenPath } from './paths.ts';

export const CurrentLocale = createContext<Locale>(defaultLocale);

export function useLocale(): Locale {
  return useContext(CurrentLocale);
}

/** Builds paths of screens in the current language, e.g. `toScreen('login')`. */
export function useScreenPath(): (screen: Screen, search?: string) => string {
  const locale = useLocale();
  return (screen, search = '') => `${screenPath(locale, screen)}${search}`;
}
