// Reports the failure of a polled list to the shared error handler once, at the first failed request.
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isControlPlaneDown } from '../../api/api-error.ts';
import { useReportError } from './error-report.tsx';

/** Reports nothing while the server is down: every page shows a banner then. */
export function useReportFailure({ failureReason }: Pick<UseQueryResult, 'failureReason'>): void {
  const report = useReportError();
  const isTold = useRef(false);
  useEffect(() => {
    if (!failureReason) isTold.current = false;
    if (!failureReason || isTold.current || isControlPlaneDown(failureReason)) return;
    isTold.current = true;
    report(failureReason);
  }, [failureReason, report]);
}
