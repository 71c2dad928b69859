// Addresses in a WebRTC answer: those of the request or of the operator, otherwise the host under which the page was opened, because the
// client reached the server there. The result is the query parameter `eip`, which callbacks get too.
import { isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { createNameLookup, type NameLookup } from './name-lookup.ts';

/** Calls with an SDP offer; only their answers contain addresses. */
const offerPath = /^\/rtc\/v1\/(?:whip|whep|whip-play|publish|play)\/?$/;

export interface WebrtcAddressSettings {
  /** Addresses that the operator configured (`CANDIDATE`); the engine adds them itself. */
  readonly candidates: readonly string[];
  /** False: derives no address from the request (`NAME_LOOKUP=off`). */
  readonly usesNameLookup: boolean;
  /** True if the machine's own addresses are not reachable for peers. */
  readonly isInContainer: boolean;
  /** UDP port for peers behind a port mapping (`RTC_PORT`); 0 for the bound port. */
  readonly shownPort: number;
}

/**
 * Returns the URL of the request, with `eip` added if it is missing and an address is known. Resolves names only for calls with an offer,
 * within the time limit of `NameLookup`. Never rejects.
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
  // For an unknown name, and for this machine's name in a container, no address is added; the answer then has those of the network
  // interfaces.
  if (found !== 'own') return found === undefined ? [] : [found];
  return settings.isInContainer ? [] : localhostAddresses(settings).slice(0, 1);
}

function localhostAddresses({ isInContainer, candidates }: WebrtcAddressSettings): string[] {
  if (isInContainer) return candidates.length > 0 ? [] : ['127.0.0.1'];
  const own = privateIpv4(networkInterfaces());
  return own === undefined ? ['127.0.0.1'] : [own, '127.0.0.1'];
}

/** First IPv4 address that is not loopback; wired interfaces first. */
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
