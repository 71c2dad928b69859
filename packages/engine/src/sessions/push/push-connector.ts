// Opens connections to targets. The address of a target determines the protocol. Targets of one stream share a muxer per format.
import { parsePublishAddress } from '@srs-stack/media/protocols/rtmp/publish-address.ts';
import { parseSrtTarget } from '@srs-stack/media/protocols/srt/srt-target.ts';
import { type Broadcasts, createBroadcasts } from '../../egress/broadcast/broadcasts.ts';
import { pushFormatOf } from '../../egress/flv/flv-broadcast-format.ts';
import { SharedOutputs } from '../../egress/shared-outputs.ts';
import { SrtBroadcast } from '../../egress/srt/srt-broadcast.ts';
import type { EngineConfig } from '../../engine-config.ts';
import type { Stream, StreamHub } from '../../hub/stream-hub.ts';
import type { MayContact } from '../../util/reach.ts';
import type { PushConnection, PushConnectionEvents } from './push-connection.ts';
import { noMetrics, type PushOrder } from './push-status.ts';
import { RtmpPush } from './rtmp-push.ts';
import { SrtPush } from './srt-push.ts';
import { TlsSessions } from './tls-sessions.ts';

/**
 * Maximum number of RTMP message stream ids with a broadcast. Servers assign one id in practice. Above the limit, the oldest id is removed.
 */
const maxFormats = 16;

export interface PushConnectorOptions {
  readonly hub: StreamHub;
  readonly config: Pick<EngineConfig, 'mergeWindowMs' | 'gopCache' | 'viewerQueue'>;
  readonly mayContact: MayContact;
  /** Replaced in tests, where all servers have loopback addresses. */
  readonly isPrivate?: ((address: string) => boolean) | undefined;
  /** Set when connectors share TLS sessions. */
  readonly tlsSessions?: TlsSessions;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class PushConnector {
  readonly #options: PushConnectorOptions;
  readonly #broadcasts = new Map<number, Broadcasts>();
  readonly #srtBroadcasts: SharedOutputs<SrtBroadcast>;
  readonly #tlsSessions: TlsSessions;

  constructor(options: PushConnectorOptions) {
    this.#options = options;
    const { hub, config, tlsSessions = new TlsSessions() } = options;
    this.#tlsSessions = tlsSessions;
    this.#srtBroadcasts = new SharedOutputs(hub, () => new SrtBroadcast(config.gopCache));
  }

  connect(order: Pick<PushOrder, 'server' | 'key'>, stream: Stream, events: PushConnectionEvents): PushConnection {
    const { mayContact, isPrivate, clock } = this.#options;
    const common = { stream, mayContact, isPrivate, clock };
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
    // Connected targets of the removed id keep their broadcasts. The next target with this id creates new broadcasts.
    if (this.#broadcasts.size > maxFormats && oldest !== undefined) this.#broadcasts.delete(oldest);
    return broadcasts;
  }
}

function refusedAddress(events: PushConnectionEvents): PushConnection {
  setImmediate(() => events.onFailed({ reason: 'address-refused', detail: 'this is not an RTMP or SRT address' }));
  return { metrics: noMetrics, tick: () => undefined, close: () => undefined };
}
