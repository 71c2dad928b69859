// Converts local times of an IANA time zone to instants, with daylight saving time. Pure; the zones are those of the JavaScript engine.

export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

/** A quarter of an hour, milliseconds; clocks change only at full quarters. */
const quarterMs = 15 * minuteMs;
/** Maximum number of cached offsets per zone: half a year. */
const maxOffsets = 20_000;
/** Offsets from UTC by zone and quarter of an hour; computing one takes ten times as long as a lookup. */
const offsets = new Map<string, Map<number, number>>();
/** Maximum number of cached formats; there are about 600 zones, but few are in use. */
const maxFormats = 100;
/** Formats by zone: creating one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Local date and time as if they were UTC, milliseconds: `Date.UTC` of the local numbers, in whole seconds. */
export function toLocalMs(zone: string, atMs: number): number {
  return Math.floor(atMs / 1000) * 1000 + offsetMs(zone, atMs);
}

/**
 * The first and last instant at which a clock in the zone shows this local time. A time that occurs twice has two. For a skipped time: the
 * instant of the change, and the instant at which an unchanged clock would show it.
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

/** Time by which clocks of the zone are ahead of UTC, milliseconds. */
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
