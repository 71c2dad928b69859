// Converts local times of an IANA time zone to instants, with daylight saving time.

export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

/** 15 minutes, milliseconds: all clock changes occur at multiples of this time. */
const quarterMs = 15 * minuteMs;
/** Maximum number of cached offsets per zone: the quarter hours of half a year. */
const maxOffsets = 20_000;
/** Cached offsets from UTC by zone and quarter of an hour. A lookup is ten times as fast as computing the offset. */
const offsets = new Map<string, Map<number, number>>();
/** Maximum number of cached formats. Of about 600 zones, few are in use. */
const maxFormats = 100;
/** Cached formats by zone. Creating a format takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Returns `Date.UTC` of the local date and time, in whole seconds. */
export function toLocalMs(zone: string, atMs: number): number {
  return Math.floor(atMs / 1000) * 1000 + offsetMs(zone, atMs);
}

/**
 * First and last instant at which a clock of the zone shows the local time. The instants differ for a time that occurs twice. For a skipped
 * time: the instant of the clock change, and the instant with the UTC offset from before the change.
 */
export function instantsOf(zone: string, localMs: number): { firstMs: number; lastMs: number } {
  const before = offsetMs(zone, localMs - dayMs);
  const after = offsetMs(zone, localMs + dayMs);
  const [early, late] = [localMs - before, localMs - after];
  const isRight = (atMs: number) => toLocalMs(zone, atMs) === localMs;
  if (isRight(early) && isRight(late)) return { firstMs: Math.min(early, late), lastMs: Math.max(early, late) };
  if (isRight(early)) return { firstMs: early, lastMs: early };
  if (isRight(late)) return { firstMs: late, lastMs: late };
  return { firstMs: changeBetween(late, early, (atMs) => readOffsetMs(zone, atMs) === before), lastMs: early };
}

/** First whole second at which `isBefore` is false, milliseconds since 1970. */
function changeBetween(fromMs: number, toMs: number, isBefore: (atMs: number) => boolean): number {
  let [low, high] = [Math.floor(fromMs / 1000), Math.ceil(toMs / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(middle * 1000)) low = middle;
    else high = middle;
  }
  return high * 1000;
}

/** Time of the zone minus UTC, milliseconds. */
function offsetMs(zone: string, atMs: number): number {
  const quarter = Math.floor(atMs / quarterMs);
  const ofZone = offsets.get(zone) ?? new Map<number, number>();
  const known = ofZone.get(quarter);
  if (known !== undefined) return known;
  if (ofZone.size >= maxOffsets) ofZone.clear();
  const offset = readOffsetMs(zone, atMs);
  offsets.set(zone, ofZone.set(quarter, offset));
  return offset;
}

function readOffsetMs(zone: string, atMs: number): number {
  const parts = formatOf(zone).formatToParts(atMs);
  const numberOf = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [numberOf('year'), numberOf('month'), numberOf('day')];
  const localMs = Date.UTC(year, month - 1, day, numberOf('hour'), numberOf('minute'), numberOf('second'));
  return localMs - Math.floor(atMs / 1000) * 1000;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const number = 'numeric' as const;
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    ...{ timeZone: zone, hourCycle: 'h23' },
    ...{ year: number, month: number, day: number, hour: number, minute: number, second: number },
  });
  if (formats.size >= maxFormats) {
    formats.clear();
    offsets.clear();
  }
  formats.set(zone, format);
  return format;
}
