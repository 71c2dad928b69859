// Handles a shortage of file descriptors, which is not the fault of one request: the request is refused, and the reason is logged at a
// limited rate.
import { createReportRateLimit } from './report-rate-limit.ts';

/** Rate limit of the log message: 3 lines at once, then one in ten seconds (ms). Every refused connection would log one. */
const reportLimits = { burst: 3, intervalMs: 10_000 };

/** True when this process (EMFILE) or the system (ENFILE) has no file descriptor left. */
export function isHandleShortage(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'EMFILE' || code === 'ENFILE';
}

export interface HandleShortage {
  /** Whether the error is a shortage of file descriptors. If so, logs it with the number of suppressed reports. */
  report(error: unknown): boolean;
}

/** @param log writes one line. @param now monotonic milliseconds. */
export function createHandleShortage(
  log: { error(fields: object, text: string): void },
  now: () => number = () => performance.now(),
): HandleShortage {
  const limit = createReportRateLimit(reportLimits);
  return {
    report(error) {
      if (!isHandleShortage(error)) return false;
      const omitted = limit.take(now());
      const { code } = error as NodeJS.ErrnoException;
      if (omitted !== undefined) {
        log.error({ code, omitted }, 'no file descriptor left: raise the limit of open files (ulimit -n, LimitNOFILE)');
      }
      return true;
    },
  };
}
