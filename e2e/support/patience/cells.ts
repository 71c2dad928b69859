// The cells of the matrix of slow peers (`patience.long.test.ts`), and the selection for a run.
// The selection differs for each commit, so all cells are tested over time.
import { createHash } from 'node:crypto';
import type { AttackedListener } from './listeners.ts';
import { type Source, sources } from './sources.ts';

const patterns = ['idle', 'byte by byte', 'pipelined', 'aborted', 'reading nothing'] as const;
export type Pattern = (typeof patterns)[number];
const connectionCounts = [1, 100, 1_000] as const;

export interface Cell {
  readonly listener: AttackedListener;
  /** Index of the attack data in `rows` of the listener. */
  readonly row: number;
  readonly pattern: Pattern;
  readonly connections: number;
  readonly source: Source;
}

export function nameOf({ listener, row, pattern, connections, source }: Cell): string {
  const { variable, rows } = listener;
  return `${variable} (${rows[row]!.transport}, row ${row}), ${pattern}, ${connections} from ${source}`;
}

/** All cells of the listeners. `hasSource` returns whether this machine has addresses of a source kind for a listener. */
export function cellsOf(
  listeners: Iterable<AttackedListener>,
  hasSource: (source: Source, listener: AttackedListener) => boolean,
): Cell[] {
  return [...listeners].flatMap((listener) =>
    listener.rows.flatMap((_, row) =>
      patterns.flatMap((pattern) =>
        connectionCounts.flatMap((connections) =>
          sources
            // A single connection has only one address.
            .filter((source) => connections > 1 || source === 'one address')
            .filter((source) => hasSource(source, listener))
            .map((source) => ({ listener, row, pattern, connections, source })),
        ),
      ),
    ),
  );
}

/** Selects at most `count` cells. The selection depends only on `seed`. */
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
