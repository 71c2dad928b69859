// Where the page shows the reported error; the alert itself is fetched when there is one.
import { Suspense } from 'react';
import { lazyScreen } from '../lazy-screen.ts';
import { useErrorReport } from './error-report.tsx';

const ErrorAlert = lazyScreen(async () => ({ default: (await import('./error-alert.tsx')).ErrorAlert }), ['errors']);

export function ReportedError() {
  const { reported, dismiss } = useErrorReport();
  if (!reported) return null;
  return (
    <Suspense>
      <ErrorAlert error={reported.error} onDismiss={dismiss} />
    </Suspense>
  );
}
