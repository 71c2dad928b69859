// Paging of the SRS HTTP API: `start` from 0, `count` at least 10 and 10 by default. Pure.

/** Least rows of one answer, as SRS has it. */
const leastCount = 10;
/** Most rows of one answer: a row has about 600 bytes, and all viewers of a machine are more than one answer should carry. */
const mostCount = 10_000;

export interface Page {
  readonly start: number;
  readonly count: number;
}

/** Anything that is no number counts as absent. */
export function pageOf(query: URLSearchParams): Page {
  const number = (name: string): number => {
    const value = Number.parseInt(query.get(name) ?? '', 10);
    return Number.isSafeInteger(value) && value > 0 ? value : 0;
  };
  return { start: number('start'), count: Math.min(mostCount, Math.max(leastCount, number('count'))) };
}
