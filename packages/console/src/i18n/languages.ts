// The languages of the console, as the contract lists them. How to add one: CONTRIBUTING.md.
import type { Locale } from '@srs-stack/contract';
import { defaultLocale, languages, supportedLocales } from '@srs-stack/contract/constants.ts';

export { defaultLocale, type Locale, languages, supportedLocales };

/** Whether this URL segment or stored value is a language of the console. */
export function isLocale(value: unknown): value is Locale {
  return supportedLocales.some((locale) => locale === value);
}
