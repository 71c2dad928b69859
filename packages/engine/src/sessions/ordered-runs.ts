// Runs the ordered pushes or pulls: starts and ends them, calls their `tick`, and isolates failures.
import type { ReportFault } from '../faults.ts';
import { outsideSessions } from '../session-scope.ts';
import { RestingTicker } from '../util/resting-ticker.ts';

const tickMs = 250;

/** One ordered push or pull. */
export interface OrderedRun<Order, Snapshot> {
  readonly order: Order;
  /** Whether `tick` has nothing to do until `wake`. */
  readonly isResting: boolean;
  tick(now: number): void;
  /** Applies an order for which `isSame` is true. */
  adopt?(order: Order): void;
  snapshot(now: number): Snapshot;
  /** Releases everything. Idempotent. */
  close(): void;
}

export interface OrderedRunsOptions<Order, Run> {
  /** Used in log lines. */
  readonly kind: 'pull' | 'push';
  readonly create: (order: Order) => Run;
  /** Whether a run of order `a` can continue with order `b`. */
  readonly isSame: (a: Order, b: Order) => boolean;
  readonly onFault: ReportFault;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class OrderedRuns<Order extends { readonly id: string }, Snapshot, Run extends OrderedRun<Order, Snapshot>> {
  readonly #options: OrderedRunsOptions<Order, Run>;
  readonly #runs = new Map<string, Run>();
  readonly #ticker = new RestingTicker({ everyMs: tickMs, tick: () => this.#tick() });
  #isClosed = false;

  constructor(options: OrderedRunsOptions<Order, Run>) {
    this.#options = options;
  }

  /** Replaces the orders. Runs of unchanged orders continue; other runs end or start. */
  configure(orders: readonly Order[]): void {
    if (this.#isClosed) return;
    const wanted = new Map(orders.map((order) => [order.id, order]));
    for (const [id, run] of this.#runs) {
      const next = wanted.get(id);
      if (next && this.#options.isSame(next, run.order)) {
        run.adopt?.(next);
        this.#ticker.wake();
        continue;
      }
      this.#runs.delete(id);
      run.close();
    }
    for (const [id, order] of wanted) if (!this.#runs.has(id)) this.#begin(order);
  }

  snapshots(): Snapshot[] {
    const now = this.#options.clock();
    return [...this.#runs.values()].map((run) => run.snapshot(now));
  }

  all(): Run[] {
    return [...this.#runs.values()];
  }

  /** Calls `work` for a run and resumes the `tick` calls. */
  wake(run: Run, work: () => void): void {
    this.guard(run, work);
    this.#ticker.wake();
  }

  guard(run: Run, work: () => void): void {
    try {
      outsideSessions(work);
    } catch (error) {
      const { kind, onFault } = this.#options;
      onFault(error, { [kind]: run.order.id }, `${kind} failed and was stopped`);
      run.close();
      this.#runs.delete(run.order.id);
    }
  }

  /** Ends all runs permanently. Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#ticker.close();
    for (const run of this.#runs.values()) run.close();
    this.#runs.clear();
  }

  #begin(order: Order): void {
    const run = this.#options.create(order);
    this.#runs.set(order.id, run);
    this.guard(run, () => run.tick(this.#options.clock()));
    this.#ticker.wake();
  }

  #tick(): boolean {
    const now = this.#options.clock();
    let hasMore = false;
    for (const run of this.#runs.values()) {
      if (run.isResting) continue;
      hasMore = true;
      this.guard(run, () => run.tick(now));
    }
    return hasMore;
  }
}
