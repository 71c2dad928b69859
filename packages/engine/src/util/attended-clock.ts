// Clock that excludes stalls of the process: stopped, suspended, overloaded, or a virtual machine that is moved to another host. During a
// stall no packet is received, and pending data is read only after timers have run.

/** A longer interval between two readings of the clock is a stall, milliseconds: sessions are checked each quarter of a second. */
const longestAttendedMs = 500;

/**
 * A clock that stops while the process stalls; read it at least twice per `longestAttendedMs` while it is used. Use it only to time the
 * silence of peers: it falls behind all other clocks.
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
