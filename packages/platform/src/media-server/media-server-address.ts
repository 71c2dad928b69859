// Where the media server's HTTP API listens now: `run/ports.json` of the gateway, else the configured address.
// The file changes when the gateway restarts, so it is read again after each failure to connect.
import { readFile } from 'node:fs/promises';
import { type BoundPorts, boundPorts } from '@srs-stack/contract/wire/bound-ports.ts';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface MediaServerAddress {
  /** Undefined while nobody knows the port. */
  current(): Promise<HostPort | undefined>;
  /** Call it when a connection failed. */
  forget(): void;
}

/** The file as it is now; undefined when it is not there or not readable. */
export async function readBoundPorts(path: string): Promise<BoundPorts | undefined> {
  try {
    return boundPorts.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** A media server of its own, which the operator named. */
export function fixedAddress(address: HostPort): MediaServerAddress {
  return { current: async () => address, forget: () => undefined };
}

export function createMediaServerAddress(portsPath: string, configured: HostPort): MediaServerAddress {
  let known: HostPort | undefined;
  return {
    async current() {
      if (known) return known;
      const bound = (await readBoundPorts(portsPath))?.srsApi;
      const found = bound ?? (configured.port || undefined);
      known = found === undefined ? undefined : { host: connectableHost(configured.host), port: found };
      return known;
    },
    forget() {
      known = undefined;
    },
  };
}

/** An API bound to all interfaces is reached over loopback. */
function connectableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}
