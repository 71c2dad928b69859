// Where the media servers' HTTP APIs listen now: `run/ports.json` and `run/ports-1.json`, … of the gateways, or what the operator
// named. Gateways restart with other ports and come later, so the folder is read again and again.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BoundPorts, boundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { ClusterClientOptions } from '@srs-stack/process/cluster/cluster-tls.ts';

/** How long what the folder said serves, milliseconds: a gateway that came is asked this soon. */
export const lookAgainMs = 2_000;

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface MediaServerAddress {
  /** What the operator knows the server by: `gateway-0`, or `host:port` of an SRS. */
  readonly name: string;
  /** Undefined while nobody knows the port. */
  current(): Promise<HostPort | undefined>;
  /** Call it when a connection failed. */
  forget(): void;
  /** How its connections are made where they go to another node; without it they are plain HTTP. */
  readonly tls?: () => ClusterClientOptions;
}

export interface MediaServerAddresses {
  /** At least one; the same objects each time. */
  list(): Promise<readonly MediaServerAddress[]>;
}

/** The file as it is now; undefined when it is not there or not readable. */
export async function readBoundPorts(path: string): Promise<BoundPorts | undefined> {
  try {
    return boundPorts.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Media servers of its own, which the operator named. */
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
  /** `run` in the data folder. */
  readonly runFolder: string;
  /** Of gateway 0, where its file does not say; port 0 means only the file knows. Its host is that of all. */
  readonly configured: HostPort;
  readonly nowMs?: () => number;
  /** Whether a process lives; a file of one that does not is what a kill left behind. */
  readonly isAlive?: (pid: number) => boolean;
}

/** The gateways of this data folder. One that was seen stays in the list, so that it is told when it is away. */
export function createGatewayAddresses(deps: GatewayAddressesDeps): MediaServerAddresses {
  return new GatewayAddresses(deps);
}

class GatewayAddresses implements MediaServerAddresses {
  readonly #deps: Required<GatewayAddressesDeps>;
  readonly #gateways = new Map<number, GatewayAddress>();
  /** By name of the file; read again when it is another one. */
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

  /** Reads the folder when the last look is old. */
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

  /** Gateways replace their files: one that is still the same is not read again, which would wake four threads. */
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
    // It may have come since: whoever starts all servers may call as soon as the last of them is there.
    this.#folder.forget();
    await this.#folder.look();
    return this.known;
  }

  forget(): void {
    this.#folder.forget();
  }
}

/** Tells two contents of a file apart; '' when there is none. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  } catch {
    return '';
  }
}

/** 0 for `ports.json`, 3 for `ports-3.json`; undefined for any other name. */
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

/** `host:port` as it is written in addresses. */
export function nameOf({ host, port }: HostPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** An API bound to all interfaces is reached over loopback. */
function connectableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}
