// Shows the reported error. The alert's code is loaded at the first error.
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
