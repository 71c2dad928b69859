// Limits the rate of reports that remote peers can cause, and counts the suppressed ones, so that a flood cannot fill a log or a disk.
// Pure: time is a parameter.

export interface ReportRateLimit {
  /** Number of reports suppressed before this one; undefined when this one must be suppressed too. */
  take(nowMs: number): number | undefined;
  /** Number of reports suppressed since the last one that passed; resets the number. */
  takeOmitted(): number;
}

/** @param limits burst size, and milliseconds until one more report passes. */
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
