// Flush interval of open segments. A long interval loses more media when the process is killed. A short interval costs CPU time, because
// each write wakes a thread.

/** Flush interval with few streams, milliseconds of media. */
const shortestMs = 250;
/** The short interval is used up to this number of writes per second, all streams together. */
const writesPerSecond = 100;
/** Longest flush interval, milliseconds of media: the maximum loss after a kill. */
const longestMs = 1_000;

/** Media time between flushes of one stream, milliseconds. @param streams number of all streams. */
export function handOverMs(streams: number): number {
  return Math.min(longestMs, Math.max(shortestMs, (streams * 1_000) / writesPerSecond));
}
