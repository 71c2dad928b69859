// Starts the media server console, which uses only the HTTP API of SRS.
import '../theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { HashRouter } from 'react-router';
import { createQueryClient } from '../api/query-client.ts';
import { startI18n } from '../i18n/i18n.ts';
import { type Locale, languages } from '../i18n/languages.ts';
import { CurrentLocale } from '../navigation/current-locale.ts';
import { Providers } from '../shared/providers.tsx';
import { MediaConsole } from './media-console.tsx';

export async function startMediaConsole(locale: Locale): Promise<void> {
  document.documentElement.lang = languages[locale].htmlLang;
  await startI18n(locale, ['common', 'media-console', 'streams', 'stream-health']);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Providers client={createQueryClient()}>
        <CurrentLocale value={locale}>
          <HashRouter>
            <MediaConsole />
          </HashRouter>
        </CurrentLocale>
      </Providers>
    </StrictMode>,
  );
}
