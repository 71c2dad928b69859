// All pushes that the host orders: streams that are published here, sent to other servers without a program in between.
import { parsePublishAddress } from '@srs-stack/media/protocols/rtmp/publish-address.ts';
import { parseSrtTarget } from '@srs-stack/media/protocols/srt/srt-target.ts';
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import { type Broadcasts, createBroadcasts } from '../../egress/broadcast/broadcasts.ts';
import { pushFormatOf } from '../../egress/flv/flv-broadcast-format.ts';
import { SharedOutputs } from '../../egress/shared-outputs.ts';
import { SrtBroadcast } from '../../egress/srt/srt-broadcast.ts';
import type { EngineConfig } from '../../engine-config.ts';
import type { ReportFault } from '../../faults.ts';
import type { Stream, StreamHub } from '../../hub/stream-hub.ts';
import type { EngineLogger } from '../../ports.ts';
import { isCopy } from '../../session-info.ts';
import type { MayContact } from '../../util/reach.ts';
import { OrderedRuns } from '../ordered-runs.ts';
import { Push } from './push.ts';
import type { PushConnection, PushConnectionEvents } from './push-connection.ts';
import { noFigures, type PushOrder, type PushSnapshot } from './push-status.ts';
import { RtmpPush } from './rtmp-push.ts';
import { SrtPush } from './srt-push.ts';
import { TlsSessions } from './tls-sessions.ts';

/** Message streams that servers assign: one in practice. Beyond it a new one takes the place of the oldest. */
const maxFormats = 16;

export interface PushesOptions {
  readonly hub: StreamHub;
  readonly config: Pick<EngineConfig, 'mergeWindowMs' | 'gopCache' | 'viewerQueue'>;
  readonly mayContact: MayContact;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** 0 to 1; `Math.random` by default. */
  readonly random?: () => number;
}

export class Pushes {
  readonly #options: PushesOptions;
  readonly #runs: OrderedRuns<PushOrder, PushSnapshot, Push>;
  /** By message stream. */
  readonly #broadcasts = new Map<number, Broadcasts>();
  readonly #srtBroadcasts: SharedOutputs<SrtBroadcast>;
  readonly #tlsSessions = new TlsSessions();
  readonly #unobserve: () => void;

  constructor(options: PushesOptions) {
    this.#options = options;
    const { hub, config, onFault, clock } = options;
    this.#srtBroadcasts = new SharedOutputs(hub, () => new SrtBroadcast(config.gopCache));
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
      connect: (wanted, stream, events) => this.#connect(wanted, stream, events),
      ...{ log, clock, random },
    });
  }

  #findStream(key: StreamKey): Stream | undefined {
    const stream = this.#options.hub.find(key);
    return stream?.publisher && !isCopy(stream.publisher) ? stream : undefined;
  }

  #connect(order: PushOrder, stream: Stream, events: PushConnectionEvents): PushConnection {
    const { mayContact, clock } = this.#options;
    const common = { stream, mayContact, clock };
    const target = parseSrtTarget(order.server);
    if (target) return new SrtPush({ ...common, target, broadcasts: this.#srtBroadcasts }, events);
    const address = parsePublishAddress(order.server, order.key);
    if (!address) return refusedAddress(events);
    const broadcastsOf = (id: number): Broadcasts => this.#broadcastsOf(id);
    return new RtmpPush({ ...common, address, broadcastsOf, tlsSessions: this.#tlsSessions }, events);
  }

  #broadcastsOf(messageStreamId: number): Broadcasts {
    const known = this.#broadcasts.get(messageStreamId);
    if (known) return known;
    const { hub, config, clock } = this.#options;
    const broadcasts = createBroadcasts({ hub, format: pushFormatOf(messageStreamId), config, clock });
    this.#broadcasts.set(messageStreamId, broadcasts);
    const [oldest] = this.#broadcasts.keys();
    // Its targets keep the broadcasts they have; the next one with that number makes others.
    if (this.#broadcasts.size > maxFormats && oldest !== undefined) this.#broadcasts.delete(oldest);
    return broadcasts;
  }

  #onStreamStart(stream: Stream): void {
    const url = toStreamUrl(stream.key);
    this.#runs.wake(
      (order) => toStreamUrl(order) === url,
      (push) => push.onStreamStart(),
    );
  }
}

function refusedAddress(events: PushConnectionEvents): PushConnection {
  setImmediate(() => events.onFailed({ reason: 'address-refused', detail: 'this is no RTMP or SRT address' }));
  return { figures: noFigures, tick: () => undefined, close: () => undefined };
}

function isSameOrder(a: PushOrder, b: PushOrder): boolean {
  return toStreamUrl(a) === toStreamUrl(b) && a.server === b.server && a.key === b.key;
}
