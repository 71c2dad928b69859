// Playback metrics of viewers, summed by stream and output since the start of this gateway. The control plane reads the sums and calculates
// rates.
import type { OutputReport, ViewerOutput } from '@srs-stack/contract/values/viewers.ts';
import { countReport, noViewerCounts, toRow, type ViewerCounts } from '@srs-stack/contract/viewer-counts.ts';
import type { ViewerRow } from '@srs-stack/contract/wire/srs-rows.ts';

/** Maximum number of streams and outputs with metrics, 1 KB each. A new entry replaces the entry with the oldest report. */
const maxRows = 2_000;

interface Row {
  readonly app: string;
  readonly stream: string;
  readonly output: ViewerOutput;
  readonly counts: ViewerCounts;
}

export class ViewerTable {
  /** In the order of the last report, newest last. */
  readonly #rows = new Map<string, Row>();

  add({ app, stream }: { app: string; stream: string }, report: OutputReport): void {
    const { output } = report;
    const key = `${app}/${stream} ${output}`;
    const row = this.#rows.get(key) ?? { app, stream, output, counts: noViewerCounts() };
    countReport(row.counts, report);
    this.#rows.delete(key);
    this.#rows.set(key, row);
    const oldest = this.#rows.keys().next().value;
    if (this.#rows.size > maxRows && oldest !== undefined) this.#rows.delete(oldest);
  }

  rows(): ViewerRow[] {
    return [...this.#rows.values()].map(({ counts, ...row }) => ({ ...row, counts: toRow(counts) }));
  }
}
