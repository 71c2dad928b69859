// Addresses of the media servers' HTTP APIs, from the configuration or from `run/ports.json`, `run/ports-1.json`, … of the gateways. The
// folder is read again, because gateways restart with other ports and may start later.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BoundPorts, boundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { ClusterClientOptions } from '@srs-stack/process/cluster/cluster-tls.ts';

/** Maximum age of the folder listing, milliseconds: the delay until a new gateway is used. */
export const lookAgainMs = 2_000;

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface MediaServerAddress {
  /** Name for the operator: `gateway-0`, or `host:port` of an SRS. */
  readonly name: string;
  /** Address now; undefined while the port is unknown. */
  current(): Promise<HostPort | undefined>;
  /** Discards the known address. Call after a failed connection. */
  forget(): void;
  /** TLS options for connections to another node. Without them, connections are plain HTTP. */
  readonly tls?: () => ClusterClientOptions;
}

export interface MediaServerAddresses {
  /** At least one address. Every call returns the same objects. */
  list(): Promise<readonly MediaServerAddress[]>;
}

/** Ports in a gateway's file; undefined for a missing or unreadable file. */
export async function readBoundPorts(path: string): Promise<BoundPorts | undefined> {
  try {
    return boundPorts.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** External media servers from the configuration. */
export function fixedAddresses(addresses: readonly HostPort[]): MediaServerAddresses {
  const fixed = new Map(
    addresses.map((address) => {
      const name = nameOf(address);
      return [name, { name, current: async () => address, forget: () => undefined }] as const;
    }),
  );
  return { list: async () => [...fixed.values()] };
}

export interface GatewayAddressesDeps {
  readonly runFolder: string;
  /** Address of gateway 0 if it has no file. With port 0, the port is known only from the file. All gateways have this host. */
  readonly configured: HostPort;
  readonly nowMs?: () => number;
  /** Whether a process is running. A killed gateway leaves its file behind. */
  readonly isAlive?: (pid: number) => boolean;
}

/** The gateways of this data folder. A gateway stays in the list after it disappears, so that its absence is reported. */
export function createGatewayAddresses(deps: GatewayAddressesDeps): MediaServerAddresses {
  return new GatewayAddresses(deps);
}

class GatewayAddresses implements MediaServerAddresses {
  readonly #deps: Required<GatewayAddressesDeps>;
  readonly #gateways = new Map<number, GatewayAddress>();
  readonly #read = new Map<string, { readonly version: string; readonly bound: BoundPorts | undefined }>();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(deps: GatewayAddressesDeps) {
    this.#deps = { nowMs: () => performance.now(), isAlive: isProcessAlive, ...deps };
    this.#gatewayOf(0);
  }

  async list(): Promise<readonly MediaServerAddress[]> {
    await this.look();
    return [...this.#gateways].sort(([one], [other]) => one - other).map(([, gateway]) => gateway);
  }

  async look(): Promise<void> {
    if (this.#deps.nowMs() - this.#readAtMs < lookAgainMs) return;
    this.#reading ??= this.#readFolder().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  forget(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }

  async #readFolder(): Promise<void> {
    const { runFolder, configured, isAlive, nowMs } = this.#deps;
    const atMs = nowMs();
    const files = (await readdir(runFolder).catch(() => [])).filter((name) => indexOf(name) !== undefined);
    const found = new Map<number, BoundPorts>();
    for (const file of files) {
      const bound = await this.#readFile(join(runFolder, file));
      if (bound) found.set(indexOf(file) ?? 0, bound);
    }
    for (const [index, { pid }] of found) if (index > 0 && isAlive(pid)) this.#gatewayOf(index);
    for (const [index, gateway] of this.#gateways) {
      const port = found.get(index)?.srsApi ?? (index === 0 ? configured.port || undefined : undefined);
      gateway.known = port === undefined ? undefined : { host: connectableHost(configured.host), port };
    }
    this.#readAtMs = atMs;
  }

  /** Skips unchanged files, because reading a file wakes four threads. Gateways replace their file for each change. */
  async #readFile(path: string): Promise<BoundPorts | undefined> {
    const version = await versionOf(path);
    const known = this.#read.get(path);
    if (known?.bound && known.version === version) return known.bound;
    const bound = await readBoundPorts(path);
    this.#read.set(path, { version, bound });
    return bound;
  }

  #gatewayOf(index: number): GatewayAddress {
    const gateway = this.#gateways.get(index) ?? new GatewayAddress(`gateway-${index}`, this);
    this.#gateways.set(index, gateway);
    return gateway;
  }
}

class GatewayAddress implements MediaServerAddress {
  readonly name: string;
  readonly #folder: GatewayAddresses;
  known: HostPort | undefined;

  constructor(name: string, folder: GatewayAddresses) {
    this.name = name;
    this.#folder = folder;
  }

  async current(): Promise<HostPort | undefined> {
    await this.#folder.look();
    if (this.known !== undefined) return this.known;
    // The caller may have just started the gateway, so the folder is read again.
    this.#folder.forget();
    await this.#folder.look();
    return this.known;
  }

  forget(): void {
    this.#folder.forget();
  }
}

/** Detects changes of a file; '' for a missing file. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  } catch {
    return '';
  }
}

/** Number of the gateway: 0 for `ports.json`, 3 for `ports-3.json`. Undefined for other names. */
function indexOf(name: string): number | undefined {
  const match = /^ports(?:-([1-9]\d{0,2}))?\.json$/.exec(name);
  return match ? Number(match[1] ?? 0) : undefined;
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns `host:port`. IPv6 addresses get brackets. */
export function nameOf({ host, port }: HostPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Host to connect to: loopback if the API is bound to all interfaces. */
function connectableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}
