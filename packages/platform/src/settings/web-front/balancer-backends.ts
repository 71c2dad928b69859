// Parses the backend servers of a load balancer: IP address or domain, optionally with protocol and port. Valid values need no quoting in
// any generated configuration. Pure.
import { isIP } from 'node:net';
import { AppError, because } from '@srs-stack/contract';

export interface Backend {
  readonly protocol: 'http' | 'https';
  /** An IPv6 address has brackets. */
  readonly host: string;
  readonly port: number;
}

const domain = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Largest port: 16 bits on the wire. */
const maxPort = 65_535;
const standardPorts = { http: 80, https: 443 } as const;

/** Parses one entry. An entry without protocol and port gets `plainPort`. Throws `backendInvalid`. */
function parseBackend(text: string, plainPort: number): Backend {
  const entry = text.trim();
  if (entry === '') throw new AppError('backendInvalid', because('backend.missing'));
  if (isIP(entry) === 6) return { protocol: 'http', host: `[${entry}]`, port: plainPort };
  const parts = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^/:[\]]+)(?::(\d{1,5}))?\/?$/i.exec(entry);
  const host = parts?.[2] ?? '';
  const protocol = parts?.[1]?.toLowerCase() as Backend['protocol'] | undefined;
  const port = Number(parts?.[3] ?? (protocol ? standardPorts[protocol] : plainPort));
  if (!isHost(host) || port < 1 || port > maxPort)
    throw new AppError('backendInvalid', because('backend.form', { address: entry }));
  return { protocol: protocol ?? 'http', host: host.toLowerCase(), port };
}

/** Throws `backendInvalid` for an invalid or duplicate entry, and if the backends use different protocols. */
export function parseBackends(entries: readonly string[], plainPort: number): Backend[] {
  const backends = entries.map((entry) => parseBackend(entry, plainPort));
  const seen = new Set<string>();
  for (const backend of backends) {
    const name = addressOf(backend);
    if (seen.has(name)) throw new AppError('backendInvalid', because('backend.twice', { address: name }));
    seen.add(name);
  }
  if (new Set(backends.map(({ protocol }) => protocol)).size > 1)
    throw new AppError('backendInvalid', because('backend.mixed'));
  return backends;
}

/** Default backends: the internal addresses of all nodes. `origin` if there is only one node. */
export function standInServers(
  nodes: readonly { readonly address: { readonly host: string } | null }[],
  origin: string,
): string[] {
  const hosts = new Set(nodes.flatMap(({ address }) => address?.host ?? []));
  return hosts.size > 1 ? [...hosts] : [origin];
}

export function addressOf({ host, port }: Backend): string {
  return `${host}:${port}`;
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return isIP(host.slice(1, -1)) === 6;
  // Digits and dots must be a valid IPv4 address, not a domain.
  return /^[\d.]+$/.test(host) ? isIP(host) === 4 : domain.test(host);
}
