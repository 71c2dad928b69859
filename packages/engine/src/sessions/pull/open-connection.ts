// Opens the connection of an order. The scheme of the address selects the transport.
import { parseSrtTarget } from '@srs-stack/media/protocols/srt/srt-target.ts';
import { isTsScheme, parseTsAddress } from '@srs-stack/media/protocols/ts-udp/ts-address.ts';
import { HlsTransport } from './hls-transport.ts';
import type { PullConnection, PullConnectionEvents } from './pull.ts';
import { RtspPull, type RtspPullOptions } from './rtsp-pull.ts';
import { SrtTransport } from './srt-transport.ts';
import { TsPull } from './ts-pull.ts';
import type { TsTransport, TsTransportEvents } from './ts-transport.ts';
import { UdpTransport } from './udp-transport.ts';

export function openConnection(options: RtspPullOptions, events: PullConnectionEvents): PullConnection {
  const { url } = options.order;
  const open = (transportEvents: TsTransportEvents) => openTransport(options, transportEvents);
  const isTransport = /^(?:srt|https?):/i.test(url) || isTsScheme(url);
  return isTransport ? new TsPull({ ...options, open }, events) : new RtspPull(options, events);
}

function openTransport(options: RtspPullOptions, events: TsTransportEvents): TsTransport {
  const { order, mayContact, isSourceNetwork, isPrivate, clock } = options;
  const { url, acceptsAnyCertificate } = order;
  if (isTsScheme(url)) {
    const address = parseTsAddress(url);
    return address ? new UdpTransport({ address, isSourceNetwork, clock }, events) : new NoTransport(events);
  }
  if (/^srt:/i.test(url)) {
    const target = parseSrtTarget(url);
    return target ? new SrtTransport(target, mayContact, events) : new NoTransport(events);
  }
  const address = URL.parse(url);
  if (!address) return new NoTransport(events);
  const reach = { mayContact, isSourceNetwork: isSourceNetwork ?? (() => false), isPrivate };
  return new HlsTransport({ ...reach, address, acceptsAnyCertificate }, events);
}

/** Transport for an invalid address: every attempt fails. */
class NoTransport implements TsTransport {
  readonly type = 'srt-publish';
  readonly limits = { mediaMs: Number.POSITIVE_INFINITY, stallMs: Number.POSITIVE_INFINITY };
  readonly isPaced = false;
  readonly lostPackets = 0;

  constructor(events: TsTransportEvents) {
    const detail = 'this is not a valid source address';
    setImmediate(() => events.onFailed({ reason: 'address-refused', detail, fault: 'address-invalid' }));
  }

  tick(): void {}

  close(): void {}
}
