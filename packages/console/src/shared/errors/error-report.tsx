// The shared error handler: every failure is reported here and shown once, at the top of the page.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { type Screen, screenOfPath } from '../../navigation/paths.ts';

interface ErrorReport {
  /** The last reported error of this screen that was not dismissed. */
  reported: { error: unknown } | undefined;
  report: (error: unknown) => void;
  dismiss: () => void;
}

const ErrorReportContext = createContext<ErrorReport>({ reported: undefined, report: () => {}, dismiss: () => {} });

export function ErrorReportProvider({ children }: { children: ReactNode }) {
  const screen = screenOfPath(useLocation().pathname);
  const [last, setLast] = useState<{ error: unknown; screen: Screen | undefined }>();
  const report = useCallback((error: unknown) => setLast({ error, screen }), [screen]);
  const dismiss = useCallback(() => setLast(undefined), []);
  useNewAttempts(dismiss);
  const reported = last?.screen === screen ? last : undefined;
  const value = useMemo(() => ({ reported, report, dismiss }), [reported, report, dismiss]);
  return <ErrorReportContext value={value}>{children}</ErrorReportContext>;
}

/** Calls `onAttempt` for every change that an operator sends, so that the previous error disappears before the new result. */
function useNewAttempts(onAttempt: () => void): void {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'pending') onAttempt();
      }),
    [client, onAttempt],
  );
}

/** `onError` of mutations and the catch of event handlers: `useReportError()(error)`. */
export function useReportError(): (error: unknown) => void {
  return useContext(ErrorReportContext).report;
}

export function useErrorReport(): ErrorReport {
  return useContext(ErrorReportContext);
}
