// A clock that excludes stalls of the process (stopped, suspended, overloaded, or moved to another host as a virtual machine). During a
// stall, no packet is received. After a stall, timers run before pending packets are read.

/** A longer interval between two readings of the clock is a stall, milliseconds. Sessions are checked at least every 250 ms. */
const longestAttendedMs = 500;

/**
 * A clock that stops while the process stalls. Read the clock at least twice per `longestAttendedMs`. Use this clock only for the silence
 * of peers: after a stall, all other clocks are ahead.
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
