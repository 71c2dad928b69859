// Reports the number of viewers that were admitted without a callback. A burst of a thousand viewers needs one call.

import { maxPlaysPerReport } from '@srs-stack/contract/limits.ts';
import type { SessionInfo } from '@srs-stack/engine';
import { noticeRetryMs, playReportMs } from './callback-limits.ts';

/** Reports `plays` new viewers; `newest` is the last viewer. Resolves with false to request a retry. Must not reject. */
export type DeliverPlays = (newest: SessionInfo, plays: number) => Promise<boolean>;

export class PlayReports {
  readonly #deliver: DeliverPlays;
  readonly #everyMs: number;
  #plays = 0;
  #newest: SessionInfo | undefined;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(deliver: DeliverPlays, everyMs = playReportMs) {
    this.#deliver = deliver;
    this.#everyMs = everyMs;
  }

  get waiting(): number {
    return this.#plays;
  }

  add(session: SessionInfo): void {
    if (this.#isClosed) return;
    this.#plays += 1;
    this.#newest = session;
    this.#running ??= this.#run();
  }

  /** Reports the counted viewers once more, for at most `timeoutMs`. Later viewers are not counted. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    this.#wake?.();
    await Promise.race([this.#running, new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref())]);
  }

  async #run(): Promise<void> {
    let pauseMs = this.#everyMs;
    while (this.#newest && this.#plays > 0) {
      await this.#pause(pauseMs);
      const isLastTry = this.#isClosed;
      const plays = Math.min(this.#plays, maxPlaysPerReport);
      const isReported = await this.#deliver(this.#newest, plays);
      if (isReported) this.#plays -= plays;
      else if (isLastTry) break;
      pauseMs = isReported ? this.#everyMs : Math.min(Math.max(pauseMs * 2, noticeRetryMs.first), noticeRetryMs.most);
    }
    this.#running = undefined;
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
