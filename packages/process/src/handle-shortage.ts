// Handles a shortage of file descriptors. The affected request is refused, and the reason is logged at a limited rate.
import { createReportRateLimit } from './report-rate-limit.ts';

/** Rate limit of the log message, because every refused connection reports one: 3 lines at once, then one per interval (ms). */
const reportLimits = { burst: 3, intervalMs: 10_000 };

/** True when this process (EMFILE) or the system (ENFILE) has no file descriptor left. */
export function isHandleShortage(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'EMFILE' || code === 'ENFILE';
}

export interface HandleShortage {
  /** Logs a shortage of file descriptors at a limited rate, with the number of suppressed reports. Returns false for any other error. */
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
