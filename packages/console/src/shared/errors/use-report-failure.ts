import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isControlPlaneDown } from '../../api/api-error.ts';
import { useReportError } from './error-report.tsx';

/**
 * Reports the first failed request of a polled list once. Nothing is reported while the server is down, because every page shows a banner.
 */
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
