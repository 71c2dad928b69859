// Reports the failure of a polled list to the shared error handler once, at the first failed request.
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isControlPlaneDown } from '../../api/api-error.ts';
import { useReportError } from './error-report.tsx';

/** Reports nothing while the server is down: every page shows a banner then. */
export function useReportFailure({ failureReason }: Pick<UseQueryResult, 'failureReason'>): void {
  const report = useReportError();
  const isReported = useRef(false);
  useEffect(() => {
    if (!failureReason) isReported.current = false;
    if (!failureReason || isReported.current || isControlPlaneDown(failureReason)) return;
    isReported.current = true;
    report(failureReason);
  }, [failureReason, report]);
}
