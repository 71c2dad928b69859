// The cells of the matrix of patience, and which of them a run tries: another part for each commit, so that all are tried in time.
import { createHash } from 'node:crypto';

const patterns = ['idle', 'byte by byte', 'pipelined', 'aborted', 'reading nothing'] as const;
export type Pattern = (typeof patterns)[number];
const connectionCounts = [1, 100, 1_000] as const;
const sources = ['one address', 'ten addresses', 'ten of one /64'] as const;
export type Source = (typeof sources)[number];

export interface Cell {
  readonly listener: string;
  /** Of the rows of the listener. */
  readonly row: number;
  readonly pattern: Pattern;
  readonly connections: number;
  readonly source: Source;
}

export function nameOf({ listener, row, pattern, connections, source }: Cell): string {
  return `${listener}${row === 0 ? '' : ` (${row})`}, ${pattern}, ${connections} from ${source}`;
}

/** All cells of the listeners, by how many rows each has. */
export function cellsOf(rows: ReadonlyMap<string, number>): Cell[] {
  return [...rows].flatMap(([listener, count]) =>
    Array.from({ length: count }, (_, row) =>
      patterns.flatMap((pattern) =>
        connectionCounts.flatMap((connections) =>
          sources
            // One connection has one address.
            .filter((source) => connections > 1 || source === 'one address')
            .map((source) => ({ listener, row, pattern, connections, source })),
        ),
      ),
    ).flat(),
  );
}

/** At most `count` of them: which, depends on `seed` alone. */
export function sampleOf(cells: readonly Cell[], count: number, seed: string): Cell[] {
  const place = (cell: Cell): string =>
    createHash('sha256')
      .update(`${seed} ${nameOf(cell)}`)
      .digest('hex');
  return cells
    .map((cell) => ({ cell, at: place(cell) }))
    .sort((a, b) => a.at.localeCompare(b.at))
    .slice(0, count)
    .map(({ cell }) => cell);
}

/** Addresses the attack comes from. */
export function addressesOf(source: Source): string[] {
  const ten = Array.from({ length: 10 }, (_, index) => index + 1);
  if (source === 'one address') return ['127.7.0.1'];
  return source === 'ten addresses' ? ten.map((last) => `127.7.${last}.1`) : ten.map((last) => `2001:db8:7:7::${last}`);
}
