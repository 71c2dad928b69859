// One i18next instance; each namespace is fetched when the screen that uses it is opened.
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
      // `true`: i18next retries five times in eleven seconds, because requests fail while a laptop changes its network.
      (error: unknown) => done(error as Error, true),
    );
  },
};

export type Namespace = keyof Texts;

/** Initializes i18next in `locale`; `namespaces` have loaded when the promise resolves. */
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

/** Preloads texts of a screen, in parallel with its code. */
export function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  return i18next.loadNamespaces([...namespaces]);
}

export { i18next };
