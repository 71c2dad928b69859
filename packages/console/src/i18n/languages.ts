// Languages of the console, defined in the contract. CONTRIBUTING.md explains how to add a language.
import type { Locale } from '@srs-stack/contract';
import { defaultLocale, languages, supportedLocales } from '@srs-stack/contract/constants.ts';

export { defaultLocale, type Locale, languages, supportedLocales };

/** Whether the value is a language of the console. */
export function isLocale(value: unknown): value is Locale {
  return supportedLocales.some((locale) => locale === value);
}
