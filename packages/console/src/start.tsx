// Starts the app after loading the texts of the URL's language.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { watchControlPlane } from './api/control-plane.ts';
import { createQueryClient, refreshWhenBack } from './api/query-client.ts';
import { App } from './app/app.tsx';
import { reloadWhenUpgraded, takeUpgradeNotice } from './app/reload-when-upgraded.ts';
import { startEarly } from './app/start-early.ts';
import { i18next, startI18n } from './i18n/i18n.ts';
import { readStoredLocale } from './i18n/stored-locale.ts';
import { localeOfPath } from './navigation/paths.ts';
import { Providers } from './shared/providers.tsx';
import { showToast } from './ui/toast.ts';

if (import.meta.env.DEV) (await import('./api/schema-check.ts')).checkResponsesBySchema();
const basename = import.meta.env.BASE_URL.replace(/\/$/, '');
const client = createQueryClient();
reloadWhenUpgraded();
watchControlPlane();
refreshWhenBack(client);
const pathname = location.pathname.slice(basename.length) || '/';
const locale = localeOfPath(pathname) ?? readStoredLocale();
startEarly(client, pathname, locale);
await startI18n(locale);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Providers client={client}>
      <BrowserRouter basename={basename}>
        <App />
      </BrowserRouter>
    </Providers>
  </StrictMode>,
);
if (takeUpgradeNotice()) void showToast({ message: i18next.t('upgraded') });
