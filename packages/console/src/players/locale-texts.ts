// Texts of the player pages, which load no framework. All languages are bundled into each page.
import type { Locale } from '@srs-stack/contract';
import type { ByLocale } from '../i18n/of-locale.ts';

/** A heading, and advice or an explanation. */
export type Message = [title: string, advice: string];

type Files<T> = Readonly<Record<string, T>>;

/**
 * @param beside files of `locales/` by path.
 * @param together files of `i18n/languages/<language>/` by path.
 * @throws Error if English, the fallback language, is missing.
 */
export function textsByLocale<T>(beside: Files<T>, together: Files<T>): ByLocale<T> {
  const entries = [...Object.entries(beside), ...Object.entries(together)].map(([path, texts]) => [
    /(?:locales\/([^/]+)\.json|languages\/([^/]+)\/[^/]+\.json)$/.exec(path)?.slice(1).find(Boolean) ?? '',
    texts,
  ]);
  const table = Object.fromEntries(entries) as Partial<Record<Locale, T>>;
  if (!table.en) throw new Error('the player pages have no English texts');
  return { ...table, en: table.en };
}

/** Replaces placeholders such as `{{seconds}}`. */
export function fill(text: string, values: Readonly<Record<string, number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => String(values[name] ?? ''));
}

/** Converts the messages of a text file to pairs of title and advice. */
export function messagesOf<Key extends string>(
  table: Readonly<Record<Key, { title: string; advice: string }>>,
): Record<Key, Message> {
  const pairs = Object.entries<{ title: string; advice: string }>(table);
  return Object.fromEntries(pairs.map(([key, { title, advice }]) => [key, [title, advice]])) as Record<Key, Message>;
}
