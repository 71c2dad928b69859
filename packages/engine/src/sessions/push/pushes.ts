// All pushes that the host orders. A push sends a stream to another server without an additional process.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from '../../faults.ts';
import type { AudioBridge } from '../../hub/audio-bridge.ts';
import type { Stream } from '../../hub/stream-hub.ts';
import type { EngineLogger } from '../../ports.ts';
import { isCopy } from '../../session-info.ts';
import { OrderedRuns } from '../ordered-runs.ts';
import { DelayedStreams, delayId } from './delay/delayed-streams.ts';
import { Push } from './push.ts';
import { PushConnector, type PushConnectorOptions } from './push-connector.ts';
import type { PushOrder, PushSnapshot } from './push-status.ts';
import { TlsSessions } from './tls-sessions.ts';

export interface PushesOptions extends PushConnectorOptions {
  readonly bridge?: AudioBridge | undefined;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  /** Returns 0 to 1; `Math.random` by default. */
  readonly random?: () => number;
}

export class Pushes {
  readonly #options: PushesOptions;
  readonly #runs: OrderedRuns<PushOrder, PushSnapshot, Push>;
  readonly #connector: PushConnector;
  readonly #delayed: DelayedStreams<PushConnector>;
  readonly #unobserve: () => void;

  constructor(options: PushesOptions) {
    this.#options = options;
    const { hub, config, bridge, mayContact, isPrivate, log, onFault, clock } = options;
    const common = { config, mayContact, isPrivate, clock, tlsSessions: new TlsSessions() };
    this.#connector = new PushConnector({ ...common, hub });
    const delayOptions = { hub, gopCache: config.gopCache, bridge, log, onFault, clock };
    this.#delayed = new DelayedStreams(delayOptions, (delayed, id) => {
      delayed.hub.onStreamStart(() => this.#wake(id));
      return new PushConnector({ ...common, hub: delayed.hub });
    });
    this.#runs = new OrderedRuns({
      ...{ kind: 'push', onFault, clock, isSame: isSameOrder },
      create: (order) => this.#create(order),
    });
    this.#unobserve = hub.onStreamStart((stream) => this.#wake(delayId(stream.key, 0)));
  }

  /** Replaces the orders. A push with an unchanged order continues; all other pushes end or start. */
  configure(orders: readonly PushOrder[]): void {
    this.#runs.configure(orders);
  }

  has(key: StreamKey): boolean {
    const url = toStreamUrl(key);
    return this.#runs.all().some(({ order }) => toStreamUrl(order) === url);
  }

  snapshots(): PushSnapshot[] {
    return this.#runs.snapshots();
  }

  /** Ends all pushes and notifies their targets. Idempotent. */
  close(): void {
    this.#unobserve();
    this.#runs.close();
  }

  #create(order: PushOrder): Push {
    const { log, clock, random = Math.random } = this.#options;
    const delayMs = delayMsOf(order);
    if (delayMs === 0) {
      const connect: PushConnector['connect'] = (...args) => this.#connector.connect(...args);
      return new Push(order, { findStream: (key) => this.#findStream(key), connect, ...{ log, clock, random } });
    }
    const delay = this.#delayed.use(order, delayMs);
    return new Push(order, {
      findStream: () => delay.stream.find(),
      connect: (...args) => delay.extra.connect(...args),
      ...{ log, clock, random, delay: delay.stream, onClose: () => delay.release() },
    });
  }

  #findStream(key: StreamKey): Stream | undefined {
    const stream = this.#options.hub.find(key);
    return stream?.publisher && !isCopy(stream.publisher) ? stream : undefined;
  }

  /** Starts the pushes of a stream that got a publisher. `id` identifies the stream and the delay. */
  #wake(id: string): void {
    for (const push of this.#runs.all()) {
      if (delayId(push.order, delayMsOf(push.order)) === id) this.#runs.wake(push, () => push.onStreamStart());
    }
  }
}

function delayMsOf({ delaySeconds = 0 }: PushOrder): number {
  return delaySeconds * 1000;
}

function isSameOrder(a: PushOrder, b: PushOrder): boolean {
  const isSameStream = delayId(a, delayMsOf(a)) === delayId(b, delayMsOf(b));
  return isSameStream && a.server === b.server && a.key === b.key;
}
