// A list that is asked for again and again: its failure reaches the shared handler with the first refusal, and once.
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isControlPlaneAway } from '../../api/api-error.ts';
import { useReportError } from './error-report.tsx';

/** Says nothing while the server is away: the banner of every page does. */
export function useReportFailure({ failureReason }: Pick<UseQueryResult, 'failureReason'>): void {
  const report = useReportError();
  const isTold = useRef(false);
  useEffect(() => {
    if (!failureReason) isTold.current = false;
    if (!failureReason || isTold.current || isControlPlaneAway(failureReason)) return;
    isTold.current = true;
    report(failureReason);
  }, [failureReason, report]);
}
