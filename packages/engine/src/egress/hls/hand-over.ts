// Flush interval of open segments. Data that is only in memory is lost when the process is killed. Each write wakes a thread, which costs
// more than writing the bytes.

/** Flush interval of one stream when few are published, milliseconds of media. */
const shortestMs = 250;
/** Writes per second of all streams up to which the short interval is used. */
const writesPerSecond = 100;
/** Longest interval, the maximum loss after a kill; milliseconds of media. */
const longestMs = 1_000;

/** Media time after which a stream flushes muxed data, milliseconds. @param streams number of streams. */
export function handOverMs(streams: number): number {
  return Math.min(longestMs, Math.max(shortestMs, (streams * 1_000) / writesPerSecond));
}
