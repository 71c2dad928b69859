// All pulls that the host orders: streams of other servers, such as cameras, that are published here without a program in between.
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from '../../faults.ts';
import type { EngineLogger } from '../../ports.ts';
import { outsideSessions } from '../../session-scope.ts';
import type { MayContact } from '../../util/reach.ts';
import { RestingTicker } from '../../util/resting-ticker.ts';
import { SharedTurns } from '../../util/shared-turns.ts';
import type { PublishGate } from '../gate/publish-gate.ts';
import { Pull } from './pull.ts';
import type { PullOrder, PullSnapshot } from './pull-status.ts';
import { RtspPull } from './rtsp-pull.ts';

/** How often pulls are looked at, milliseconds. */
const tickMs = 250;

export interface PullsOptions {
  readonly gate: PublishGate;
  readonly mayContact: MayContact;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** 0 to 1; `Math.random` by default. */
  readonly random?: () => number;
}

export class Pulls {
  readonly #options: PullsOptions;
  readonly #pulls = new Map<string, Pull>();
  readonly #turns = new SharedTurns();
  readonly #ticker = new RestingTicker({ everyMs: tickMs, tick: () => this.#tick() });
  #isClosed = false;

  constructor(options: PullsOptions) {
    this.#options = options;
  }

  /** What is ordered from now on: a pull whose order is the same goes on, others begin or end. */
  configure(orders: readonly PullOrder[]): void {
    if (this.#isClosed) return;
    const wanted = new Map(orders.map((order) => [order.id, order]));
    for (const [id, pull] of this.#pulls) {
      const next = wanted.get(id);
      if (next && isSameOrder(next, pull.order)) continue;
      this.#pulls.delete(id);
      pull.close();
    }
    for (const [id, order] of wanted) if (!this.#pulls.has(id)) this.#begin(order);
  }

  snapshots(): PullSnapshot[] {
    const now = this.#options.clock();
    return [...this.#pulls.values()].map((pull) => pull.snapshot(now));
  }

  /** Ends every stream that is pulled. Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#ticker.close();
    for (const pull of this.#pulls.values()) pull.close();
    this.#pulls.clear();
  }

  #begin(order: PullOrder): void {
    const { gate, mayContact, log, clock, random = Math.random } = this.#options;
    const pull = new Pull(order, {
      connect: (wanted, events) => {
        const run = (work: () => void) => this.#run(pull, work);
        return new RtspPull({ order: wanted, gate, mayContact, log, clock, turns: this.#turns, run }, events);
      },
      ...{ log, clock, random },
    });
    this.#pulls.set(order.id, pull);
    this.#run(pull, () => pull.tick(clock()));
    this.#ticker.wake();
  }

  #tick(): boolean {
    const now = this.#options.clock();
    for (const pull of this.#pulls.values()) this.#run(pull, () => pull.tick(now));
    return this.#pulls.size > 0;
  }

  /** A bug in one pull ends it alone. */
  #run(pull: Pull, work: () => void): void {
    try {
      outsideSessions(work);
    } catch (error) {
      this.#options.onFault(error, { pull: pull.order.id }, 'pull failed and was ended');
      pull.close();
      this.#pulls.delete(pull.order.id);
    }
  }
}

function isSameOrder(a: PullOrder, b: PullOrder): boolean {
  const isSameTarget = toStreamUrl(a) === toStreamUrl(b) && a.param === b.param;
  const isSameSource = a.url === b.url && a.transport === b.transport;
  return isSameTarget && isSameSource && a.acceptsAnyCertificate === b.acceptsAnyCertificate;
}
