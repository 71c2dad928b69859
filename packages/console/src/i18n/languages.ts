// The languages of the console. A third one is a folder of texts (see README) and one line here.
import { defaultLocale, type Locale, supportedLocales } from '@srs-stack/contract';

/** `name` is written in the language itself; `htmlLang` is the value for the document. */
export const languages: Record<Locale, { name: string; short: string; htmlLang: string }> = {
  zh: { name: '简体中文', short: '中', htmlLang: 'zh-CN' },
  en: { name: 'English', short: 'EN', htmlLang: 'en' },
};

export { defaultLocale, type Locale, supportedLocales };

/** Is this URL segment or stored value one of ours? */
export function isLocale(value: unknown): value is Locale {
  return supportedLocales.some((locale) => locale === value);
}
