// Keeps the language of the URL, of the storage and of the displayed texts equal. The URL takes precedence.
// When another tab stores a language later, this tab adopts it.
import { localePollIntervalMs } from '@srs-stack/contract/constants.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { i18next } from '../i18n/i18n.ts';
import { type Locale, languages } from '../i18n/languages.ts';
import { readStoredLocale, storeLocale } from '../i18n/stored-locale.ts';
import { CurrentLocale } from '../navigation/current-locale.ts';
import { localeOfPath, screenPath, withLocale } from '../navigation/paths.ts';

/** Redirects paths without a language. Renders `children` in the language of the path. */
export function LocaleGate({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation();
  const locale = localeOfPath(pathname);
  if (!locale) {
    const stored = readStoredLocale();
    const target = pathname === '/' ? screenPath(stored, 'login') : withLocale(pathname, stored);
    return <Navigate to={`${target}${search}${hash}`} replace />;
  }
  return <InLocale locale={locale}>{children}</InLocale>;
}

function InLocale({ locale, children }: { locale: Locale; children: ReactNode }) {
  const shown = useTextsIn(locale);
  useFollowStoredLocale(locale);
  useEffect(() => {
    document.documentElement.lang = languages[shown].htmlLang;
  }, [shown]);
  return <CurrentLocale value={locale}>{children}</CurrentLocale>;
}

function useTextsIn(locale: Locale): Locale {
  const [shown, setShown] = useState(i18next.language as Locale);
  useEffect(() => {
    let isCurrent = true;
    i18next.changeLanguage(locale).then(
      () => isCurrent && setShown(locale),
      () => {
        // The texts failed to load. The displayed texts stay, and the next navigation tries again.
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [locale]);
  return shown;
}

/** Stores the language of the URL. When the stored language changes later, navigates to the current page in that language. */
function useFollowStoredLocale(locale: Locale): void {
  const navigate = useNavigate();
  const location = useLocation();
  const seen = useRef(locale);
  const latest = useRef(location);
  latest.current = location;
  useEffect(() => {
    if (readStoredLocale() !== locale) storeLocale(locale);
    seen.current = readStoredLocale();
    const timer = setInterval(() => {
      const stored = readStoredLocale();
      if (stored === seen.current) return;
      seen.current = stored;
      const { pathname, search, hash } = latest.current;
      void navigate(`${withLocale(pathname, stored)}${search}${hash}`, { replace: true });
    }, localePollIntervalMs);
    return () => clearInterval(timer);
  }, [locale, navigate]);
}
