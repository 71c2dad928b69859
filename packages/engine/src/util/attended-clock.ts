// Time in which somebody could have been heard: a process that stood still (stopped, suspended, a virtual machine moved to another host, too
// much else to do) has not heard anybody meanwhile, and what they sent is read only after its timers have run.

/** Looks at the clock that are further apart mean that the process stood still, milliseconds: sessions are looked at each quarter of a second. */
const longestAttendedMs = 500;

/**
 * A clock that leaves out the time in which the process stood still; to be looked at twice as often as `longestAttendedMs` while something
 * is timed with it. For silences only: it falls behind all other clocks.
 * @param clock monotonic milliseconds.
 */
export function attendedClock(clock: () => number): () => number {
  let lastMs = clock();
  let absentMs = 0;
  return () => {
    const nowMs = clock();
    const sinceLastMs = nowMs - lastMs;
    if (sinceLastMs > longestAttendedMs) absentMs += sinceLastMs;
    lastMs = nowMs;
    return nowMs - absentMs;
  };
}
