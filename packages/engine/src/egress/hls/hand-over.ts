// How often the open segments are written on: what is in memory alone when the process is killed is not recorded, and each write of a
// stream wakes a thread, which costs more than the bytes.

/** Media time between two writes of one stream where few are published, milliseconds. */
const shortestMs = 250;
/** Writes of all streams together that are worth the short distance, per second. */
const writesPerSecond = 100;
/** The most that a kill may cost, milliseconds of media. */
const longestMs = 1_000;

/** Media time after which a stream hands over what was muxed, milliseconds. @param streams how many there are. */
export function handOverMs(streams: number): number {
  return Math.min(longestMs, Math.max(shortestMs, (streams * 1_000) / writesPerSecond));
}
