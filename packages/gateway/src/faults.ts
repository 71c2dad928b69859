// Logs and counts unexpected errors of sessions and of the process, and then checks the stream table. The process exits only when the
// stream table is corrupt (docs/decisions/uncaught-errors.md).
import type { Engine, ReportFault } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';

/** Maximum number of logged faults per minute, so that a peer that triggers a bug cannot fill the disk. All faults are counted. */
const maxLoggedPerMinute = 20;
const minuteMs = 60_000;
/**
 * Delay between a fault and the check of the stream table, milliseconds. Faults within this delay share a check, which iterates over all
 * players.
 */
const lookAfterMs = 100;
/** Longest fault text in the API, characters. */
const maxTextLength = 200;

export interface FaultMetrics {
  readonly count: number;
  /** The newest fault in one line; empty without faults. */
  readonly last: string;
}

export interface Faults {
  readonly report: ReportFault;
  metrics(): FaultMetrics;
}

export interface FaultsOptions {
  readonly log: Pick<Logger, 'error' | 'fatal'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly findCorruption: Engine['findCorruption'];
  readonly onCorrupted: () => void;
}

export function createFaults(options: FaultsOptions): Faults {
  return new FaultLog(options);
}

class FaultLog implements Faults {
  readonly #options: FaultsOptions;
  #count = 0;
  #last = '';
  #minute = { sinceMs: Number.NEGATIVE_INFINITY, logged: 0 };
  #isLookPending = false;
  #isCorrupted = false;

  readonly report: ReportFault = (error, fields, what) => {
    this.#count += 1;
    this.#last = `${what}: ${textOf(error)}`.slice(0, maxTextLength);
    this.#lookOver();
    if (!this.#mayLog()) return;
    try {
      const err = error instanceof Error ? error : new Error(textOf(error));
      this.#options.log.error(
        {
          ...fields,
          err,
          faults: this.#count,
          ...(this.#minute.logged === maxLoggedPerMinute && { more: 'not logged' }),
        },
        what,
      );
    } catch {
      // An error of the logger must not cause another fault.
    }
  };

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  metrics(): FaultMetrics {
    return { count: this.#count, last: this.#last };
  }

  #mayLog(): boolean {
    const now = this.#options.clock();
    if (now - this.#minute.sinceMs >= minuteMs) this.#minute = { sinceMs: now, logged: 0 };
    this.#minute.logged += 1;
    return this.#minute.logged <= maxLoggedPerMinute;
  }

  /** Checks later, because the fault may have interrupted a change of the stream table. */
  #lookOver(): void {
    if (this.#isLookPending || this.#isCorrupted) return;
    this.#isLookPending = true;
    const look = (): void => {
      this.#isLookPending = false;
      const corruption = describe(this.#options.findCorruption);
      if (corruption === undefined) return;
      this.#isCorrupted = true;
      this.#options.log.fatal({ corruption }, 'the stream table is inconsistent, this process exits');
      this.#options.onCorrupted();
    };
    setTimeout(look, lookAfterMs).unref();
  }
}

function describe(findCorruption: Engine['findCorruption']): string | undefined {
  try {
    return findCorruption();
  } catch (error) {
    return textOf(error);
  }
}

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'error without a message';
  }
}
