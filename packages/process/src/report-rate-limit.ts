// Tells a part of what anybody may cause as often as they like, and how much was left out, so that a flood fills neither a
// log nor a disk. Pure: time is a parameter.

export interface ReportRateLimit {
  /** How many were left out before this one when it may be told; undefined when it is left out too. */
  take(nowMs: number): number | undefined;
  /** How many were left out since the last one told; forgets them. */
  takeOmitted(): number;
}

/** @param limits how many may be told at once, and milliseconds until one more may. */
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
