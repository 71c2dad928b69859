// Adds the query parameter `eip` with the addresses for a WebRTC answer, unless the request contains addresses: the operator's addresses,
// and the host under which the client has reached the server. Callbacks contain `eip`, too.
import { isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { createNameLookup, type NameLookup } from './name-lookup.ts';

/** Calls with an SDP offer, whose responses contain addresses. */
const offerPath = /^\/rtc\/v1\/(?:whip|whep|whip-play|publish|play)\/?$/;

export interface WebrtcAddressSettings {
  /** Addresses that the operator configured (`CANDIDATE`). */
  readonly candidates: readonly string[];
  /** False (`NAME_LOOKUP=off`): no address is derived from the request. */
  readonly usesNameLookup: boolean;
  /** True when peers cannot reach the addresses of the network interfaces. */
  readonly isInContainer: boolean;
  /** UDP port in the announced addresses, when a router or container maps the port of the server (`RTC_PORT`); 0 for the bound port. */
  readonly shownPort: number;
}

/**
 * Returns the URL of the request. Adds `eip` if missing and an address is known. Resolves names only for calls with an offer, within the
 * time limit of `NameLookup`. Never rejects.
 */
export type WebrtcAddresses = (url: string, host: string, realHost: string | string[] | undefined) => Promise<string>;

export function createWebrtcAddresses(
  settings: WebrtcAddressSettings,
  lookup: NameLookup = createNameLookup(),
): WebrtcAddresses {
  return async (url, host, realHost) => {
    const { pathname, searchParams: query } = URL.parse(url, 'http://localhost') ?? new URL('http://localhost');
    if (!offerPath.test(pathname) || query.has('eip') || query.has('candidate')) return url;
    const name = hostName((Array.isArray(realHost) ? realHost[0] : realHost) || host);
    const found = [...settings.candidates, ...(await addressesOf(name, settings, lookup))];
    if (found.length === 0) return url;
    const { shownPort } = settings;
    const named = shownPort === 0 ? found : found.map((address) => withPort(address, shownPort));
    return `${url}${url.includes('?') ? '&' : '?'}eip=${encodeURIComponent([...new Set(named)].join(','))}`;
  };
}

async function addressesOf(name: string, settings: WebrtcAddressSettings, lookup: NameLookup): Promise<string[]> {
  if (!settings.usesNameLookup || name === '') return [];
  if (name === 'localhost') return localhostAddresses(settings);
  if (isIP(name) !== 0) return [name];
  const found = await lookup(name);
  // No address for an unknown name, or for this machine's name in a container. The answer then contains the addresses of the network
  // interfaces.
  if (found !== 'own') return found === undefined ? [] : [found];
  return settings.isInContainer ? [] : localhostAddresses(settings).slice(0, 1);
}

function localhostAddresses({ isInContainer, candidates }: WebrtcAddressSettings): string[] {
  if (isInContainer) return candidates.length > 0 ? [] : ['127.0.0.1'];
  const own = privateIpv4(networkInterfaces());
  return own === undefined ? ['127.0.0.1'] : [own, '127.0.0.1'];
}

/** The first IPv4 address except loopback. Wired interfaces come first. */
export function privateIpv4(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string | undefined {
  const wired = (name: string): boolean => /^(en|eth)/.test(name);
  const names = Object.keys(interfaces).sort((a, b) => Number(wired(b)) - Number(wired(a)));
  return names.flatMap((name) => interfaces[name] ?? []).find(({ family, internal }) => family === 'IPv4' && !internal)
    ?.address;
}

function hostName(host: string): string {
  const match = /^(?:\[([^\]]+)\]|([^:]*))(?::\d+)?$/.exec(host);
  return match?.[1] ?? match?.[2] ?? '';
}

function withPort(address: string, port: number): string {
  if (/^\[.*\]:\d+$/.test(address) || /^[^:]+:\d+$/.test(address)) return address;
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
