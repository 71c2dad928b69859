// The whole console, from the outermost component: error boundary, language of the URL, access stage, screen.
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { DrawnLoginEnds } from '../first-paint/drawn-login-ends.ts';
import { screenOfPath } from '../navigation/paths.ts';
import { ErrorBoundary } from '../shared/errors/error-boundary.tsx';
import { ErrorReportProvider } from '../shared/errors/error-report.tsx';
import { AccessGate } from './access/access-gate.tsx';
import { type AccessStage, navigationOfStage, screenOfStage } from './access/access-stage.ts';
import { LoadingScreen } from './access/loading-screen.tsx';
import { FallbackScreen } from './fallback-screen.tsx';
import { LocaleGate } from './locale-gate.tsx';
import { ConsoleShell, screenComponents } from './screens.ts';
import { PublicShell } from './shell/public-shell.tsx';

/** Must be rendered inside a router. */
export function App() {
  const { t } = useTranslation();
  return (
    <ErrorBoundary fallback={(error) => <FallbackScreen error={error} />}>
      <ErrorReportProvider>
        <LocaleGate>
          <Suspense fallback={<LoadingScreen message={t('loading')} />}>
            <AccessGate>{(stage) => <StageScreen stage={stage} />}</AccessGate>
          </Suspense>
        </LocaleGate>
      </ErrorReportProvider>
    </ErrorBoundary>
  );
}

function StageScreen({ stage }: { stage: AccessStage }) {
  const { pathname } = useLocation();
  const screen = screenOfStage(stage, screenOfPath(pathname));
  const Page = screenComponents[screen];
  if (screen === 'setup' || screen === 'login') {
    return (
      <PublicShell navigation={navigationOfStage(stage)}>
        <Suspense>
          <Page />
          <DrawnLoginEnds />
        </Suspense>
      </PublicShell>
    );
  }
  return (
    <ConsoleShell>
      <Page />
      <DrawnLoginEnds />
    </ConsoleShell>
  );
}
