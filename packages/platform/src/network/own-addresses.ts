// Detects addresses of this server, e.g. so that a worker never uses its own output as source.
import { networkInterfaces } from 'node:os';
import { parseSrtAddress } from '@srs-stack/media/protocols/srt/srt-address.ts';
import { parseSrtTarget } from '@srs-stack/media/protocols/srt/srt-target.ts';
import { isLoopback } from '@srs-stack/process/ip-address.ts';
import { checkAddress, pushSchemes } from './address-rule.ts';

const defaultRtmpPort = 1935;
const defaultRtmpsPort = 443;
const defaultSrtPort = 10_080;
/** Maximum age of the list of this machine's addresses, milliseconds. A hundred waiting tasks each need the list twice a second. */
const interfacesMs = 1_000;

export interface OwnAddresses {
  /** Returns `app/stream` for an address of this server, else ''. */
  streamOf(address: string): Promise<string>;
  /** Whether an RTMP, RTMPS or SRT address belongs to this server. `calledHost` is a host name by which a client called this server. */
  leadsHere(address: string, calledHost: string): Promise<boolean>;
}

type BoundPorts = { readonly rtmp: number | null; readonly rtmps?: number | null; readonly srt?: number | null };

export function createOwnAddresses(
  boundPorts: () => Promise<BoundPorts | undefined>,
  nowMs = () => performance.now(),
): OwnAddresses {
  const isOwnHost = createOwnHosts(nowMs);
  return {
    async leadsHere(address, calledHost) {
      const { scheme, host = '', port } = safely(() => checkAddress(address, pushSchemes)) ?? {};
      if (host === '' || !(isOwnHost(host) || host.toLowerCase() === calledHost.toLowerCase())) return false;
      return isOwnPort({ scheme, port }, await boundPorts());
    },

    async streamOf(address) {
      const parts = safely(() => checkAddress(address, pushSchemes));
      if (!parts || !isOwnHost(parts.host)) return '';
      if (!isOwnPort(parts, await boundPorts())) return '';
      return parts.scheme === 'srt' ? streamPathOfSrt(address) : streamPath(address);
    },
  };
}

function isOwnPort(
  { scheme, port }: { scheme?: string | undefined; port?: string | undefined },
  bound: BoundPorts | undefined,
): boolean {
  switch (scheme) {
    case 'rtmp':
      return Number(port || defaultRtmpPort) === (bound?.rtmp ?? defaultRtmpPort);
    case 'rtmps':
      return Number(port || defaultRtmpsPort) === bound?.rtmps;
    default:
      return scheme === 'srt' && Number(port) === (bound?.srt ?? defaultSrtPort);
  }
}

/** `rtmp://host/app/stream?query` → `app/stream`, for any host. */
export function streamPath(address: string): string {
  const path = address.replace(/^[a-z]+:\/\/[^/]*\/?/i, '').split('?', 1)[0] ?? '';
  return path.split('/').filter(Boolean).join('/');
}

/** Returns `app/stream` in the SRT stream id; '' for none. */
function streamPathOfSrt(address: string): string {
  const { streamId = '' } = parseSrtTarget(address) ?? {};
  const named = safely(() => parseSrtAddress(streamId));
  return named ? `${named.app}/${named.stream}` : '';
}

function createOwnHosts(nowMs: () => number): (host: string) => boolean {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let known: ReadonlySet<string> = new Set();
  return (host) => {
    if (isLoopback(host)) return true;
    if (nowMs() - readAtMs >= interfacesMs) {
      readAtMs = nowMs();
      known = new Set(Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []));
    }
    return known.has(host);
  };
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
