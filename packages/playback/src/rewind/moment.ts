// Points in time in the forms that addresses and API calls use. Pure.

/** `2026-05-01T12:00:00Z` with optional fractions of a second: UTC only, so that the time zone is unambiguous. */
const isoPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z$/;
/** Unix seconds, to the millisecond: up to the year 33658. */
const secondsPattern = /^\d{1,12}(?:\.\d{1,9})?$/;

/** Milliseconds since 1970; undefined when the text has neither form. */
export function parseMoment(text: string): number | undefined {
  if (secondsPattern.test(text)) return Math.round(Number(text) * 1000);
  const ms = isoPattern.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
