// All pulls that the host orders: streams of other servers, such as cameras, that are published here without a program in between.
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from '../../faults.ts';
import type { EngineLogger } from '../../ports.ts';
import type { MayContact } from '../../util/reach.ts';
import { SharedTurns } from '../../util/shared-turns.ts';
import type { PublishGate } from '../gate/publish-gate.ts';
import { OrderedRuns } from '../ordered-runs.ts';
import { Pull } from './pull.ts';
import type { PullOrder, PullSnapshot } from './pull-status.ts';
import { RtspPull } from './rtsp-pull.ts';

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
  readonly #runs: OrderedRuns<PullOrder, PullSnapshot, Pull>;
  readonly #turns = new SharedTurns();

  constructor(options: PullsOptions) {
    this.#options = options;
    const { onFault, clock } = options;
    this.#runs = new OrderedRuns({
      ...{ kind: 'pull', onFault, clock, isSame: isSameOrder },
      create: (order) => this.#create(order),
    });
  }

  /** Replaces the orders: pulls whose order is the same continue, the others end, and new ones begin. */
  configure(orders: readonly PullOrder[]): void {
    this.#runs.configure(orders);
  }

  snapshots(): PullSnapshot[] {
    return this.#runs.snapshots();
  }

  /** Ends every stream that is pulled. Idempotent. */
  close(): void {
    this.#runs.close();
  }

  #create(order: PullOrder): Pull {
    const { gate, mayContact, log, clock, random = Math.random } = this.#options;
    const pull: Pull = new Pull(order, {
      connect: (wanted, events) => {
        const run = (work: () => void) => this.#runs.guard(pull, work);
        return new RtspPull({ order: wanted, gate, mayContact, log, clock, turns: this.#turns, run }, events);
      },
      ...{ log, clock, random },
    });
    return pull;
  }
}

function isSameOrder(a: PullOrder, b: PullOrder): boolean {
  const isSameTarget = toStreamUrl(a) === toStreamUrl(b) && a.param === b.param;
  const isSameSource = a.url === b.url && a.transport === b.transport;
  return isSameTarget && isSameSource && a.acceptsAnyCertificate === b.acceptsAnyCertificate;
}
