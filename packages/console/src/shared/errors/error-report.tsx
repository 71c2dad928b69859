// The shared error handler, which shows the last failure at the top of the page.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { type Screen, screenOfPath } from '../../navigation/paths.ts';

interface ErrorReport {
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

/** Calls `onAttempt` when a change is sent to the server. The caller then removes the error of an earlier attempt. */
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

/** Returns the function that reports an error, e.g. as `onError` of a mutation. */
export function useReportError(): (error: unknown) => void {
  return useContext(ErrorReportContext).report;
}

export function useErrorReport(): ErrorReport {
  return useContext(ErrorReportContext);
}
