// Paging of the SRS HTTP API: `start` from 0, `count` at least 10 and 10 by default. Pure.

/** Minimum number of rows of a response, as in SRS. */
const leastCount = 10;
/** Maximum number of rows of a response. A row has about 600 bytes, so a list of all viewers could be too large. */
const mostCount = 10_000;

export interface Page {
  readonly start: number;
  readonly count: number;
}

/** A value that is not a positive number counts as absent. */
export function pageOf(query: URLSearchParams): Page {
  const number = (name: string): number => {
    const value = Number.parseInt(query.get(name) ?? '', 10);
    return Number.isSafeInteger(value) && value > 0 ? value : 0;
  };
  return { start: number('start'), count: Math.min(mostCount, Math.max(leastCount, number('count'))) };
}
