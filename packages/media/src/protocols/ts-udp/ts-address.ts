// Address on which MPEG-TS datagrams arrive, in the syntax of FFmpeg and VLC: `udp://[sender@][address]:port?sources=…&localaddr=…`, or
// `rtp://`.

export interface TsAddress {
  /** Address to bind: a local address, a multicast group, or all (`0.0.0.0`, `::`). Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly isMulticast: boolean;
  readonly isIpv6: boolean;
  /** Accepted source addresses of datagrams; empty for any. */
  readonly senders: readonly string[];
  /** Address of the network interface that joins the group; undefined for the system's choice. */
  readonly localAddress: string | undefined;
}

/** Maximum number of senders in an address. The filter only needs to identify the encoders of one stream. */
const maxSenders = 8;
const highestPort = 65_535;
const pattern =
  /^(?:udp|rtp):\/\/(?:(\[[0-9a-f:.]+\]|[\d.]+)?@)?(\[[0-9a-f:.]+\]|[\d.]+)?:(\d{1,5})\/?(?:\?([^\s#\p{Cc}]*))?$/iu;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}(?<!\.)$/;

/** Returns undefined for an invalid address. Host names are refused, because a name does not determine the local address to listen on. */
export function parseTsAddress(text: string): TsAddress | undefined {
  const [, sender, host, portText, query = ''] = pattern.exec(text) ?? [];
  const port = Number(portText);
  if (!(port >= 1 && port <= highestPort)) return undefined;
  const options = new URLSearchParams(query);
  const listed = (options.get('sources') ?? '').split(',').filter((each) => each !== '');
  const senders = [...(sender === undefined ? [] : [plain(sender)]), ...listed.map(plain)];
  const localAddress = options.get('localaddr') || undefined;
  const address = plain(host ?? '0.0.0.0');
  const isIpv6 = address.includes(':');
  const all = [address, ...senders, ...(localAddress === undefined ? [] : [plain(localAddress)])];
  const isWhole = all.every((each) => each.includes(':') === isIpv6 && (isIpv6 || ipv4.test(each)));
  if (!isWhole || senders.length > maxSenders) return undefined;
  return {
    ...{ host: address, port, isIpv6, senders },
    isMulticast: isIpv6 ? /^ff/i.test(address) : /^2(?:2[4-9]|3\d)\./.test(address),
    localAddress: localAddress && plain(localAddress),
  };
}

/** Whether the address starts with `udp://` or `rtp://`. */
export function isTsScheme(address: string): boolean {
  return /^(?:udp|rtp):\/\//i.test(address);
}

function plain(address: string): string {
  return address.replace(/^\[|\]$/g, '').toLowerCase();
}
