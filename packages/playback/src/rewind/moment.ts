// Parses points in time in the formats of addresses and API calls. Pure.

/** `2026-05-01T12:00:00Z`; seconds and their fractions are optional. Other time zones are refused, so that a time is never ambiguous. */
const isoPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z$/;
/** Unix seconds with optional fractions, up to the year 33658. */
const secondsPattern = /^\d{1,12}(?:\.\d{1,9})?$/;

/** Parses a time into milliseconds since 1970; undefined if the text has neither format. */
export function parseMoment(text: string): number | undefined {
  if (secondsPattern.test(text)) return Math.round(Number(text) * 1000);
  const ms = isoPattern.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
