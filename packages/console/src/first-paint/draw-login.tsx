// Renders the login page to HTML during the build (called by draw-login-page.ts).
import { QueryClient } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server.edge';
import { MemoryRouter } from 'react-router';
import { navigationOfStage } from '../app/access/access-stage.ts';
import { PublicShell } from '../app/shell/public-shell.tsx';
import LoginPage from '../features/login/login-page.tsx';
import { i18next, startI18n } from '../i18n/i18n.ts';
import { defaultLocale, type Locale, languages, supportedLocales } from '../i18n/languages.ts';
import { CurrentLocale } from '../navigation/current-locale.ts';
import { screenPath } from '../navigation/paths.ts';
import { Providers } from '../shared/providers.tsx';

export interface DrawnPage {
  readonly locale: Locale;
  readonly htmlLang: string;
  readonly isDefault: boolean;
  readonly html: string;
}

/**
 * Renders the page in every language.
 * @param basePath path of the console, without a trailing slash.
 */
export async function drawLogin(basePath: string): Promise<DrawnPage[]> {
  await startI18n(defaultLocale, ['common', 'login']);
  const pages: DrawnPage[] = [];
  for (const locale of supportedLocales) {
    await i18next.changeLanguage(locale);
    const html = renderToString(<Page locale={locale} basePath={basePath} />);
    pages.push({ locale, htmlLang: languages[locale].htmlLang, isDefault: locale === defaultLocale, html });
  }
  return pages;
}

function Page({ locale, basePath }: { locale: Locale; basePath: string }) {
  return (
    <Providers client={new QueryClient()}>
      <MemoryRouter basename={basePath} initialEntries={[`${basePath}${screenPath(locale, 'login')}`]}>
        <CurrentLocale value={locale}>
          <PublicShell navigation={navigationOfStage('signed-out')}>
            <LoginPage isStarting />
          </PublicShell>
        </CurrentLocale>
      </MemoryRouter>
    </Providers>
  );
}
