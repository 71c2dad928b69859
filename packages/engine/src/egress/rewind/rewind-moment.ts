// `?from=…&to=…` of an address: which moments are asked for. Pure.
import { parseMoment } from '@srs-stack/process/rewind/moment.ts';

export interface RewindRange {
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/**
 * The piece that a query asks for; what it does not say is open. `whole`: it asks for none. `invalid`: a moment is not one, or the end
 * is not after the beginning.
 */
export function parseRange(query: string): RewindRange | 'whole' | 'invalid' {
  const parameters = new URLSearchParams(query);
  const [from, to] = [parameters.get('from'), parameters.get('to')];
  if (from === null && to === null) return 'whole';
  const fromMs = from === null ? 0 : parseMoment(from);
  const toMs = to === null ? Number.MAX_SAFE_INTEGER : parseMoment(to);
  return fromMs === undefined || toMs === undefined || fromMs >= toMs ? 'invalid' : { fromMs, toMs };
}

/** The query without the moments: who asks, whatever for. */
export function withoutMoments(query: string): string {
  const kept = query
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !/^(?:from|to)(?:=|$)/.test(pair));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
