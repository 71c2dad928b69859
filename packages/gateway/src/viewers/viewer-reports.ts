// Playback reports. A report is accepted if a viewer at that address watches that stream, in this or another gateway, and is then
// aggregated. No data about the sender is stored.
import type { OutputReport, ViewerReport } from '@srs-stack/contract/values/viewers.ts';
import type { ViewerResults, ViewerRow } from '@srs-stack/contract/wire/srs-rows.ts';
import type { EnginePorts, SessionInfo } from '@srs-stack/engine';
import { ViewerTable } from './viewer-table.ts';
import { ViewingTimes } from './viewing-times.ts';

/** A report with the address of its sender. */
export interface SentReport {
  readonly ip: string;
  readonly report: ViewerReport;
}

/** `unknown`: no viewer at that address watches the stream in this gateway. `too-much`: the report covers more time than was watched. */
type ReportOutcome = 'accepted' | 'unknown' | 'too-much';

export class ViewerReports {
  readonly #times: ViewingTimes;
  readonly #table = new ViewerTable();
  readonly #results = { accepted: 0, invalid: 0, unknown: 0, dropped: 0 };

  /** @param now monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#times = new ViewingTimes(now);
  }

  /** Wraps the ports of the engine, so that viewers are recorded. */
  observe<Ports extends EnginePorts>(ports: Ports): Ports {
    return {
      ...ports,
      authorizePlay: async (session: SessionInfo) => {
        const verdict = await ports.authorizePlay(session);
        if (verdict.allowed) this.#times.begin(session);
        return verdict;
      },
      onStop: (session: SessionInfo) => {
        this.#times.end(session);
        ports.onStop(session);
      },
    };
  }

  /** Handles a report. Does not count `unknown`, because another gateway may accept the report. */
  take({ ip, report }: SentReport): ReportOutcome {
    const viewer = { app: report.app, stream: report.stream, ip };
    if (!this.#times.knows(viewer)) return 'unknown';
    const seconds = report.outputs.reduce((sum, output) => sum + output.seconds, 0);
    if (!this.#times.spend(viewer, seconds)) {
      this.#results.dropped += 1;
      return 'too-much';
    }
    for (const output of report.outputs) this.#table.add(report, this.#withOwnJoin(viewer, output));
    this.#results.accepted += 1;
    return 'accepted';
  }

  /** Counts a report of an unknown viewer, an invalid report, or one that did not fit into the queue. */
  refuse(result: Exclude<keyof ViewerResults, 'accepted'>): void {
    this.#results[result] += 1;
  }

  /** Metrics and counts of reports, for the control plane. */
  metrics(): { readonly rows: ViewerRow[]; readonly results: ViewerResults } {
    return { rows: this.#table.rows(), results: { ...this.#results } };
  }

  #withOwnJoin(viewer: Pick<SessionInfo, 'app' | 'stream' | 'ip'>, report: OutputReport): OutputReport {
    if (report.join === undefined || this.#times.spendJoin(viewer)) return report;
    const { join: _, ...rest } = report;
    return rest;
  }
}
