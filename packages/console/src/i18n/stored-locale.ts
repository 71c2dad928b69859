// The language stored in this browser as `{lang}`. A language stored by a newer console is converted on first use.
import { storageKeys } from '@srs-stack/contract/constants.ts';
import { defaultLocale, isLocale, type Locale } from './languages.ts';

const newerConsoleKey = 'ORYX_LOCALE';

/** Returns the stored language, else the language stored by a newer console, else the default. */
export function readStoredLocale(storage: Storage = localStorage): Locale {
  return readLang(storage, storageKeys.locale) ?? adoptNewerConsoleLocale(storage) ?? defaultLocale;
}

export function storeLocale(lang: Locale, storage: Storage = localStorage): void {
  try {
    storage.setItem(storageKeys.locale, JSON.stringify({ lang }));
  } catch {
    // If storage is full or blocked, only the URL contains the language.
  }
}

function adoptNewerConsoleLocale(storage: Storage): Locale | undefined {
  const lang = readLang(storage, newerConsoleKey);
  if (lang) storeLocale(lang, storage);
  return lang;
}

function readLang(storage: Storage, key: string): Locale | undefined {
  try {
    const record = JSON.parse(storage.getItem(key) ?? 'null') as { lang?: unknown } | null;
    return isLocale(record?.lang) ? record.lang : undefined;
  } catch {
    return undefined;
  }
}
