// The languages of the console, as the contract lists them. How to add one: CONTRIBUTING.md.
import { defaultLocale, type Locale, languages, supportedLocales } from '@srs-stack/contract';

export { defaultLocale, type Locale, languages, supportedLocales };

/** Is this URL segment or stored value one of ours? */
export function isLocale(value: unknown): value is Locale {
  return supportedLocales.some((locale) => locale === value);
}
