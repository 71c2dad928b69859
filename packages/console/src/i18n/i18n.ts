// The i18next instance. Each namespace is fetched when a screen first uses it.
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { defaultLocale, type Locale, supportedLocales } from './languages.ts';
import { textFiles } from './text-files.ts';
import type { Texts } from './texts.ts';

const lazyTexts: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (language, namespace, done) => {
    const load = textFiles.get(`${language}/${namespace}`);
    if (!load) return done(new Error(`the translation file ${language}/${namespace} does not exist`), null);
    load().then(
      (texts) => done(null, texts),
      // `true` lets i18next retry five times in eleven seconds, which covers a network change.
      (error: unknown) => done(error as Error, true),
    );
  },
};

export type Namespace = keyof Texts;

/** Initializes i18next. Resolves after `namespaces` have loaded. */
export async function startI18n(locale: Locale, namespaces: readonly Namespace[] = ['common']): Promise<void> {
  await i18next
    .use(lazyTexts)
    .use(initReactI18next)
    .init({
      lng: locale,
      fallbackLng: defaultLocale,
      supportedLngs: supportedLocales,
      ns: [...namespaces],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
      react: { useSuspense: true },
    });
}

/** Loads the texts of a screen in parallel with its code. */
export function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  return i18next.loadNamespaces([...namespaces]);
}

export { i18next };
