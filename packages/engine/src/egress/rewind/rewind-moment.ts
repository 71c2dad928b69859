import { parseMoment } from '@srs-stack/playback/rewind/moment.ts';

export interface RewindRange {
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/**
 * Parses the time range of a query; a missing bound is open. `whole`: no range. `invalid`: a bound is not a time, or the end is not after
 * the start.
 */
export function parseRange(query: string): RewindRange | 'whole' | 'invalid' {
  const parameters = new URLSearchParams(query);
  const [from, to] = [parameters.get('from'), parameters.get('to')];
  if (from === null && to === null) return 'whole';
  const fromMs = from === null ? 0 : parseMoment(from);
  const toMs = to === null ? Number.MAX_SAFE_INTEGER : parseMoment(to);
  return fromMs === undefined || toMs === undefined || fromMs >= toMs ? 'invalid' : { fromMs, toMs };
}

/** Removes the time range from a query. The rest identifies the viewer, whatever the range. */
export function withoutMoments(query: string): string {
  const kept = query
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !/^(?:from|to)(?:=|$)/.test(pair));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
