// Limits the rate of reports that remote peers can cause, so that a flood cannot fill a log or disk. Suppressed reports are counted. Pure:
// time is a parameter.

export interface ReportRateLimit {
  /** Asks for permission to report. Returns the number of suppressed reports before this report; undefined suppresses this report too. */
  take(nowMs: number): number | undefined;
  /** Returns the number of suppressed reports since the last permitted report, and resets this number. */
  takeOmitted(): number;
}

/** @param limits size of a burst, and milliseconds until one more report is permitted. */
export function createReportRateLimit(limits: { burst: number; intervalMs: number }): ReportRateLimit {
  let [left, atMs, omitted] = [limits.burst, 0, 0];
  const takeOmitted = () => {
    const count = omitted;
    omitted = 0;
    return count;
  };
  return {
    take(nowMs) {
      left = Math.min(limits.burst, left + Math.max(0, nowMs - atMs) / limits.intervalMs);
      atMs = nowMs;
      if (left < 1) {
        omitted++;
        return undefined;
      }
      left--;
      return takeOmitted();
    },
    takeOmitted,
  };
}
