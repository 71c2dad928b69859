// Aggregates playback reports. A report is accepted if a viewer at the sender's address watches the stream, on this or another gateway. No
// data about the sender is stored.
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

/** `unknown`: no viewer at this address watches the stream on this gateway. `too-much`: the report covers more time than was watched. */
type ReportOutcome = 'accepted' | 'unknown' | 'too-much';

export class ViewerReports {
  readonly #times: ViewingTimes;
  readonly #table = new ViewerTable();
  readonly #results = { accepted: 0, invalid: 0, unknown: 0, dropped: 0 };

  /** @param now monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#times = new ViewingTimes(now);
  }

  /** Wraps the ports of the engine to record viewers. */
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

  /** Handles a report. `unknown` is not counted, because another gateway may accept the report. */
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

  /** Counts a refused report: of an unknown viewer, invalid, or dropped above a limit. */
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
