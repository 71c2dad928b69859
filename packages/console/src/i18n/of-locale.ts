// What differs between languages beside their texts, as data; a language without data of its own gets the English ones.
import type { Locale } from '@srs-stack/contract';

export type ByLocale<T> = Readonly<Partial<Record<Locale, T>> & { en: T }>;

export function ofLocale<T>(table: ByLocale<T>, locale: Locale): T {
  return table[locale] ?? table.en;
}
