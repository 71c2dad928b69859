// Polls the media servers for playback reports and adds the increase to the history. Each server counts from its own start.
import { AppError } from '@srs-stack/contract';
import { fromRow, type ViewerCounts, viewerCountsSince } from '@srs-stack/contract/viewer-counts.ts';
import type { ViewerResults } from '@srs-stack/contract/wire/srs-rows.ts';
import type { MediaServer, ServerViewers } from '../../media-server/media-server.ts';
import type { ViewerHistory } from './viewer-history.ts';

export interface ViewerWatchDeps {
  readonly mediaServer: Pick<MediaServer, 'listViewers'>;
  readonly history: Pick<ViewerHistory, 'add'>;
}

interface Seen {
  readonly pid: number;
  readonly counts: ReadonlyMap<string, ViewerCounts>;
  readonly results: ViewerResults;
}

export class ViewerWatch {
  readonly #deps: ViewerWatchDeps;
  readonly #seen = new Map<string, Seen>();
  #results: ViewerResults = { accepted: 0, invalid: 0, unknown: 0, dropped: 0 };

  constructor(deps: ViewerWatchDeps) {
    this.#deps = deps;
  }

  get results(): ViewerResults {
    return this.#results;
  }

  /** Polls all servers once. Rejects only for bugs. An unavailable server is skipped. */
  async look(atMs: number): Promise<void> {
    const servers = await this.#deps.mediaServer.listViewers().catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return [];
    });
    for (const server of servers) this.#take(server, atMs);
  }

  #take({ name, pid, rows, results }: ServerViewers, atMs: number): void {
    const before = this.#seen.get(name);
    const counts = new Map<string, ViewerCounts>();
    for (const row of rows) {
      const key = `${row.app}/${row.stream} ${row.output}`;
      const now = fromRow(row.counts);
      counts.set(key, now);
      // The counts of the first poll accumulated over an unknown period. They are only the baseline for later polls.
      if (!before) continue;
      const since = viewerCountsSince(now, before.pid === pid ? before.counts.get(key) : undefined);
      this.#deps.history.add(atMs, row, since);
    }
    if (before) this.#results = sumOf(this.#results, since(results, before.pid === pid ? before.results : undefined));
    this.#seen.set(name, { pid, counts, results });
  }
}

function since(now: ViewerResults, before: ViewerResults | undefined): ViewerResults {
  return before ? combined(now, before, (a, b) => Math.max(0, a - b)) : now;
}

function sumOf(one: ViewerResults, other: ViewerResults): ViewerResults {
  return combined(one, other, (a, b) => a + b);
}

function combined(one: ViewerResults, other: ViewerResults, make: (a: number, b: number) => number): ViewerResults {
  return {
    accepted: make(one.accepted, other.accepted),
    invalid: make(one.invalid, other.invalid),
    unknown: make(one.unknown, other.unknown),
    dropped: make(one.dropped, other.dropped),
  };
}
