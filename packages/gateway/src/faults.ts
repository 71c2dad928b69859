// Errors that nobody expected, from one session or from anywhere in this process: logged with everything known, counted, and
// the streams looked over. They end the process only when the table of streams is broken (docs/decisions/uncaught-errors.md).
import type { Engine, ReportFault } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';

/** Faults written out per minute; beyond, a peer that found a bug would fill the disk. All are counted. */
const maxLoggedPerMinute = 20;
const minuteMs = 60_000;
/** The streams are looked over this long after a fault, milliseconds: once for a flood of them, which costs a walk over all players. */
const lookAfterMs = 100;
/** Longest text of a fault that the API tells, characters. */
const maxTextLength = 200;

export interface FaultFigures {
  /** Since the start of the process. */
  readonly count: number;
  /** The newest, in one line; empty when there was none. */
  readonly last: string;
}

export interface Faults {
  /** Logs and counts. Never throws. */
  readonly report: ReportFault;
  figures(): FaultFigures;
}

export interface FaultsOptions {
  readonly log: Pick<Logger, 'error' | 'fatal'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly findCorruption: Engine['findCorruption'];
  /** The streams cannot go on. Called once. */
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
      // a log that fails must not make a fault of a fault
    }
  };

  constructor(options: FaultsOptions) {
    this.#options = options;
  }

  figures(): FaultFigures {
    return { count: this.#count, last: this.#last };
  }

  #mayLog(): boolean {
    const now = this.#options.clock();
    if (now - this.#minute.sinceMs >= minuteMs) this.#minute = { sinceMs: now, logged: 0 };
    this.#minute.logged += 1;
    return this.#minute.logged <= maxLoggedPerMinute;
  }

  /** Later: the fault may have been caught in the middle of a change that is still being made. */
  #lookOver(): void {
    if (this.#isLookPending || this.#isCorrupted) return;
    this.#isLookPending = true;
    const look = (): void => {
      this.#isLookPending = false;
      const corruption = describe(this.#options.findCorruption);
      if (corruption === undefined) return;
      this.#isCorrupted = true;
      this.#options.log.fatal({ corruption }, 'the table of streams is broken, this process ends');
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
    return 'an error without a text';
  }
}
