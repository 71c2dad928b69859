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
import { outsideSessions } from '../../session-scope.ts';
import type { MayContact } from '../../util/reach.ts';
import { RestingTicker } from '../../util/resting-ticker.ts';
import { Push } from './push.ts';
import type { PushConnection, PushConnectionEvents } from './push-connection.ts';
import type { PushOrder, PushSnapshot } from './push-status.ts';
import { RtmpPush } from './rtmp-push.ts';
import { SrtPush } from './srt-push.ts';
import { TlsSessions } from './tls-sessions.ts';

/** How often pushes are looked at, milliseconds. */
const tickMs = 250;
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
  readonly #pushes = new Map<string, Push>();
  /** By message stream. */
  readonly #broadcasts = new Map<number, Broadcasts>();
  readonly #srtBroadcasts: SharedOutputs<SrtBroadcast>;
  readonly #tlsSessions = new TlsSessions();
  readonly #ticker = new RestingTicker({ everyMs: tickMs, tick: () => this.#tick() });
  readonly #unobserve: () => void;
  #isClosed = false;

  constructor(options: PushesOptions) {
    this.#options = options;
    const { hub, config } = options;
    this.#srtBroadcasts = new SharedOutputs(hub, () => new SrtBroadcast(config.gopCache));
    this.#unobserve = hub.onStreamStart((stream) => this.#onStreamStart(stream));
  }

  /** What is ordered from now on: a push whose order is the same goes on, others begin or end. */
  configure(orders: readonly PushOrder[]): void {
    if (this.#isClosed) return;
    const wanted = new Map(orders.map((order) => [order.id, order]));
    for (const [id, push] of this.#pushes) {
      const next = wanted.get(id);
      if (next && isSameOrder(next, push.order)) continue;
      this.#pushes.delete(id);
      push.close();
    }
    for (const [id, order] of wanted) if (!this.#pushes.has(id)) this.#begin(order);
  }

  snapshots(): PushSnapshot[] {
    const now = this.#options.clock();
    return [...this.#pushes.values()].map((push) => push.snapshot(now));
  }

  /** Tells every target that its stream is over. Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#unobserve();
    this.#ticker.close();
    for (const push of this.#pushes.values()) push.close();
    this.#pushes.clear();
  }

  #begin(order: PushOrder): void {
    const { log, clock, random = Math.random } = this.#options;
    const push = new Push(order, {
      findStream: (key) => this.#findStream(key),
      connect: (wanted, stream, events) => this.#connect(wanted, stream, events),
      ...{ log, clock, random },
    });
    this.#pushes.set(order.id, push);
    this.#run(push, () => push.tick(clock()));
    this.#ticker.wake();
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
    for (const push of this.#pushes.values()) {
      if (toStreamUrl(push.order) === url) this.#run(push, () => push.onStreamStart());
    }
    this.#ticker.wake();
  }

  #tick(): boolean {
    const now = this.#options.clock();
    let goesOn = false;
    for (const push of this.#pushes.values()) {
      if (push.isResting) continue;
      goesOn = true;
      this.#run(push, () => push.tick(now));
    }
    return goesOn;
  }

  /** A bug in one push ends its connection alone. */
  #run(push: Push, work: () => void): void {
    try {
      outsideSessions(work);
    } catch (error) {
      this.#options.onFault(error, { push: push.order.id }, 'push failed and was ended');
      push.close();
      this.#pushes.delete(push.order.id);
    }
  }
}

function refusedAddress(events: PushConnectionEvents): PushConnection {
  const figures = { sentBytes: 0, sentFrames: 0, droppedFrames: 0, mediaMs: 0, queuedBytes: 0 };
  setImmediate(() => events.onFailed({ reason: 'address-refused', detail: 'this is no RTMP or SRT address' }));
  return { figures, tick: () => undefined, close: () => undefined };
}

function isSameOrder(a: PushOrder, b: PushOrder): boolean {
  return toStreamUrl(a) === toStreamUrl(b) && a.server === b.server && a.key === b.key;
}
