// Renders the whole console at a URL with real texts.
import { type RenderResult, render } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { App } from '../app/app.tsx';
import { startI18n } from '../i18n/i18n.ts';
import { defaultLocale, type Locale } from '../i18n/languages.ts';
import { Providers } from '../shared/providers.tsx';

export interface RenderedApp extends RenderResult {
  url(): string;
}

export async function renderApp(url: string, locale: Locale = defaultLocale): Promise<RenderedApp> {
  await startI18n(locale, ['common']);
  const shown = { url };
  const client = createQueryClient();
  const result = render(
    <Providers client={client} env="test">
      <MemoryRouter initialEntries={[url]}>
        <App />
        <UrlSpy shown={shown} />
      </MemoryRouter>
    </Providers>,
  );
  return { ...result, url: () => shown.url };
}

function UrlSpy({ shown }: { shown: { url: string } }) {
  const { pathname, search } = useLocation();
  shown.url = `${pathname}${search}`;
  return null;
}
