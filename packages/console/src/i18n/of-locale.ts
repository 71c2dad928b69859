// Data that differs by language; languages without their own data use the English data.
import type { Locale } from '@srs-stack/contract';

export type ByLocale<T> = Readonly<Partial<Record<Locale, T>> & { en: T }>;

export function ofLocale<T>(table: ByLocale<T>, locale: Locale): T {
  return table[locale] ?? table.en;
}
