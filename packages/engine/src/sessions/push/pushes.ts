// All pushes that the host orders: streams that are published here, sent to other servers without a program in between.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from '../../faults.ts';
import type { Stream } from '../../hub/stream-hub.ts';
import type { EngineLogger } from '../../ports.ts';
import { isCopy } from '../../session-info.ts';
import { OrderedRuns } from '../ordered-runs.ts';
import { Push } from './push.ts';
import { PushConnector, type PushConnectorOptions } from './push-connector.ts';
import type { PushOrder, PushSnapshot } from './push-status.ts';


export interface PushesOptions extends PushConnectorOptions {
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  /** 0 to 1; `Math.random` by default. */
  readonly random?: () => number;
}

export class Pushes {
  readonly #options: PushesOptions;
  readonly #runs: OrderedRuns<PushOrder, PushSnapshot, Push>;
  readonly #connector: PushConnector;
  readonly #unobserve: () => void;

  constructor(options: PushesOptions) {
    this.#options = options;
    const { hub, onFault, clock } = options;
    this.#connector = new PushConnector(options);
    this.#runs = new OrderedRuns({
      ...{ kind: 'push', onFault, clock, isSame: isSameOrder },
      create: (order) => this.#create(order),
    });
    this.#unobserve = hub.onStreamStart((stream) => this.#onStreamStart(stream));
  }

  /** Replaces the orders: pushes whose order is the same continue, the others end, and new ones begin. */
  configure(orders: readonly PushOrder[]): void {
    this.#runs.configure(orders);
  }

  snapshots(): PushSnapshot[] {
    return this.#runs.snapshots();
  }

  /** Unpublishes at every target. Idempotent. */
  close(): void {
    this.#unobserve();
    this.#runs.close();
  }

  #create(order: PushOrder): Push {
    const { log, clock, random = Math.random } = this.#options;
    return new Push(order, {
      findStream: (key) => this.#findStream(key),
      connect: (wanted, stream, events) => this.#connector.connect(wanted, stream, events),
      ...{ log, clock, random },
    });
  }

  #findStream(key: StreamKey): Stream | undefined {
    const stream = this.#options.hub.find(key);
    return stream?.publisher && !isCopy(stream.publisher) ? stream : undefined;
  }

  #onStreamStart(stream: Stream): void {
    const url = toStreamUrl(stream.key);
    this.#runs.wake(
      (order) => toStreamUrl(order) === url,
      (push) => push.onStreamStart(),
    );
  }
}

function isSameOrder(a: PushOrder, b: PushOrder): boolean {
  return toStreamUrl(a) === toStreamUrl(b) && a.server === b.server && a.key === b.key;
}
