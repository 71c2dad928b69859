// Local times of an IANA time zone as instants, with its daylight saving time. Pure; the zones are those of the JavaScript engine.

export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

/** Most cached formats: there are about 600 zones, and few are in use. */
const maxFormats = 100;
/** Formats by zone: making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Local date and time as if they were UTC, milliseconds: `Date.UTC` of the numbers on a clock there. */
export function toLocalMs(zone: string, atMs: number): number {
  const parts = formatOf(zone).formatToParts(atMs);
  const numberOf = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [numberOf('year'), numberOf('month'), numberOf('day')];
  return Date.UTC(year, month - 1, day, numberOf('hour'), numberOf('minute'), numberOf('second'));
}

/**
 * The instants at which a clock in the zone shows this time. A time that exists twice has two. A time that is skipped has the instant of the
 * change, and the time that a clock would show that nobody changed.
 */
export function instantsOf(zone: string, localMs: number): { firstMs: number; lastMs: number } {
  const offsetAt = (atMs: number) => toLocalMs(zone, atMs) - Math.floor(atMs / 1000) * 1000;
  const before = offsetAt(localMs - dayMs);
  const after = offsetAt(localMs + dayMs);
  const [early, late] = [localMs - before, localMs - after];
  const isRight = (atMs: number) => toLocalMs(zone, atMs) === localMs;
  if (isRight(early) && isRight(late)) return { firstMs: Math.min(early, late), lastMs: Math.max(early, late) };
  if (isRight(early)) return { firstMs: early, lastMs: early };
  if (isRight(late)) return { firstMs: late, lastMs: late };
  return { firstMs: changeBetween(late, early, (atMs) => offsetAt(atMs) === before), lastMs: early };
}

/** The second at which `isBefore` turns false. */
function changeBetween(fromMs: number, toMs: number, isBefore: (atMs: number) => boolean): number {
  let [low, high] = [Math.floor(fromMs / 1000), Math.ceil(toMs / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(middle * 1000)) low = middle;
    else high = middle;
  }
  return high * 1000;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const number = 'numeric' as const;
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    ...{ timeZone: zone, hourCycle: 'h23' },
    ...{ year: number, month: number, day: number, hour: number, minute: number, second: number },
  });
  if (formats.size >= maxFormats) formats.clear();
  formats.set(zone, format);
  return format;
}
