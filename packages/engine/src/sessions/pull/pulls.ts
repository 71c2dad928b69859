// All ordered pulls: streams of other servers, such as cameras, that are published here without FFmpeg.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from '../../faults.ts';
import type { EngineLogger } from '../../ports.ts';
import type { MayContact } from '../../util/reach.ts';
import { SharedTurns } from '../../util/shared-turns.ts';
import { type DemandSource, demandWaitMs } from '../gate/demand-source.ts';
import type { CopySource } from '../gate/play-gate.ts';
import type { PublishGate } from '../gate/publish-gate.ts';
import { OrderedRuns } from '../ordered-runs.ts';
import { RestingReads } from '../reads/resting-reads.ts';
import { openConnection } from './open-connection.ts';
import { Pull } from './pull.ts';
import type { PullOrder, PullSnapshot } from './pull-status.ts';

/**
 * Maximum number of viewers that wait for on-demand streams. Further viewers do not wait. Each waiting viewer uses a place in the play
 * gate, even after disconnecting.
 */
const maxWaitingViewers = 1_024;

export interface PullsOptions {
  readonly gate: PublishGate;
  /** Whether the stream is sent to another gateway or server without a player in the hub. */
  readonly isSentOn?: (key: StreamKey) => boolean;
  readonly mayContact: MayContact;
  /** Networks that sources may use, configured by the operator of the machine; undefined: none. */
  readonly isSourceNetwork?: ((address: string) => boolean) | undefined;
  readonly isPrivate?: ((address: string) => boolean) | undefined;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Returns 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

export class Pulls implements CopySource, DemandSource {
  readonly #options: PullsOptions;
  readonly #runs: OrderedRuns<PullOrder, PullSnapshot, Pull>;
  readonly #turns = new SharedTurns();
  readonly #resting: RestingReads;
  readonly #onDemand = new Map<string, Pull>();
  #waitingViewers = 0;

  constructor(options: PullsOptions) {
    this.#options = options;
    const { onFault, clock } = options;
    this.#resting = new RestingReads(clock);
    this.#runs = new OrderedRuns({
      ...{ kind: 'pull', onFault, clock, isSame: isSameOrder },
      create: (order) => this.#create(order),
    });
  }

  configure(orders: readonly PullOrder[]): void {
    this.#runs.configure(orders);
    this.#onDemand.clear();
    for (const pull of this.#runs.all()) if (pull.order.onDemand) this.#onDemand.set(toStreamUrl(pull.order), pull);
  }

  has(key: StreamKey): boolean {
    return this.#of(key) !== undefined;
  }

  request(key: StreamKey, forMs: number): void {
    const pull = this.#of(key);
    if (!pull) return;
    this.#runs.wake(pull, () => {
      pull.request(forMs);
      if (pull.isStarting(demandWaitMs)) pull.tick(this.#options.clock());
    });
  }

  isStarting(key: StreamKey): boolean {
    return this.#of(key)?.isStarting(demandWaitMs) === true;
  }

  onSettled(key: StreamKey, callback: () => void): () => void {
    return this.#of(key)?.onSettled(callback) ?? (() => undefined);
  }

  /** Resolves when the stream is available or cannot be pulled, and at the latest after `demandWaitMs`. Never rejects. */
  async ready(key: StreamKey): Promise<void> {
    this.request(key, 0);
    if (!this.isStarting(key) || this.#waitingViewers >= maxWaitingViewers) return;
    this.#waitingViewers++;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        off();
        clearTimeout(timer);
        resolve();
      };
      const off = this.onSettled(key, () => !this.isStarting(key) && end());
      const timer = setTimeout(end, demandWaitMs);
    });
    this.#waitingViewers--;
  }

  snapshots(): PullSnapshot[] {
    return this.#runs.snapshots();
  }

  close(): void {
    this.#runs.close();
    this.#resting.close();
  }

  #of(key: StreamKey): Pull | undefined {
    return this.#onDemand.size === 0 ? undefined : this.#onDemand.get(toStreamUrl(key));
  }

  #isWatched(key: StreamKey): boolean {
    const { gate, isSentOn } = this.#options;
    const stream = gate.hub.find(key);
    return stream !== undefined && (gate.hub.players.hasSome(stream) || isSentOn?.(key) === true);
  }

  #isTaken(key: StreamKey): boolean {
    const { hub, ports, clock } = this.#options.gate;
    return hub.isSending(key, clock()) || ports.origins?.publishedSince(key) !== undefined;
  }

  #create(order: PullOrder): Pull {
    const { gate, mayContact, isSourceNetwork, isPrivate, log, clock, random = Math.random } = this.#options;
    const pull: Pull = new Pull(order, {
      connect: (wanted, events) => {
        const run = (work: () => void) => this.#runs.guard(pull, work);
        const shared = { gate, mayContact, isSourceNetwork, isPrivate, log, clock, run };
        return openConnection({ order: wanted, turns: this.#turns, resting: this.#resting, ...shared }, events);
      },
      isWatched: () => this.#isWatched(order),
      isTaken: () => this.#isTaken(order),
      ...{ log, clock, random },
    });
    return pull;
  }
}

/** Ignores `onDemand`, which may change while the pull runs. */
function isSameOrder(a: PullOrder, b: PullOrder): boolean {
  const isSameTarget = toStreamUrl(a) === toStreamUrl(b) && a.param === b.param;
  const isSameSource = a.url === b.url && a.transport === b.transport;
  return isSameTarget && isSameSource && a.acceptsAnyCertificate === b.acceptsAnyCertificate;
}
