// Tests of targets that the host ordered, a few at a time. Keeps the newest results for the host.
import type { ReportFault } from '../../../faults.ts';
import { outsideSessions } from '../../../session-scope.ts';
import { RestingTicker } from '../../../util/resting-ticker.ts';
import { PushTest, type PushTestOptions } from './push-test.ts';
import type { PushTestOrder, PushTestSnapshot } from './push-test-status.ts';

/** Maximum number of simultaneous tests. */
const maxRunning = 4;
/** Maximum number of kept results. The oldest result is removed first. */
const maxKept = 16;
/** Interval of `tick`, milliseconds. The clip has two or three frames per interval. */
const tickMs = 100;

export interface PushTestsOptions extends PushTestOptions {
  readonly onFault: ReportFault;
}

export class PushTests {
  readonly #options: PushTestsOptions;
  readonly #tests = new Map<string, PushTest>();
  readonly #ticker = new RestingTicker({ everyMs: tickMs, tick: () => this.#tick() });

  constructor(options: PushTestsOptions) {
    this.#options = options;
  }

  /** Starts a test. Returns false when too many tests run or `order.id` is in use. */
  start(order: PushTestOrder): boolean {
    if (this.#tests.has(order.id) || this.#running().length >= maxRunning) return false;
    this.#tests.set(
      order.id,
      outsideSessions(() => new PushTest(order, this.#options)),
    );
    this.#forgetOldest();
    this.#ticker.wake();
    return true;
  }

  snapshot(id: string): PushTestSnapshot | undefined {
    return this.#tests.get(id)?.snapshot();
  }

  close(): void {
    this.#ticker.close();
    for (const test of this.#tests.values()) test.close();
    this.#tests.clear();
  }

  #running(): PushTest[] {
    return [...this.#tests.values()].filter(({ isDone }) => !isDone);
  }

  #forgetOldest(): void {
    const done = [...this.#tests].find(([, { isDone }]) => isDone);
    if (this.#tests.size > maxKept && done) this.#tests.delete(done[0]);
  }

  #tick(): boolean {
    const now = this.#options.clock();
    for (const test of this.#running()) {
      try {
        outsideSessions(() => test.tick(now));
      } catch (error) {
        this.#options.onFault(error, {}, 'test of a target failed and was stopped');
        test.close();
      }
    }
    return this.#running().length > 0;
  }
}
