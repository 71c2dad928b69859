// Parses the `*_LISTEN` variables: `port`, `:port`, `host:port`, `[v6]:port`, or the path of a Unix socket.
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLoopback } from './ip-address.ts';
import { StartRefusal } from './start-refusal.ts';

export interface ListenAddress {
  /** Absent: all interfaces. */
  readonly host?: string;
  readonly port: number;
}

/** Largest port number (16 bits). */
export const maxPort = 65_535;

/** Parses a listen address. @throws StartRefusal naming the variable for an invalid address. */
export function parseListenAddress(variable: string, text: string): ListenAddress {
  const match = /^(?:(?<host>\[[^\]]+\]|[^:[\]]*):)?(?<port>\d{1,5})$/.exec(text.trim());
  const port = Number(match?.groups?.port);
  if (!match || port > maxPort) {
    throw new StartRefusal(`Cannot start: ${variable} must be a port or host:port, not "${text}".`);
  }
  const host = match.groups?.host?.replace(/^\[|\]$/g, '');
  return host ? { host, port } : { port };
}

/** Parses a listen address; undefined for `off`, which disables the listener. @throws StartRefusal naming the variable. */
export function parseOptionalListenAddress(variable: string, text: string): ListenAddress | undefined {
  return text.toLowerCase() === 'off' ? undefined : parseListenAddress(variable, text);
}

/** Parses `first-last`; undefined for an empty text. @throws StartRefusal naming the variable for an invalid range. */
export function parsePortRange(variable: string, text: string): { first: number; last: number } | undefined {
  if (text === '') return undefined;
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || first < 1 || last > maxPort || first > last) {
    throw new StartRefusal(`Cannot start: ${variable} must be a range of ports such as 8100-8199, not "${text}".`);
  }
  return { first, last };
}

/** Maximum length of a Unix socket's path, bytes. The kernel's `sun_path` has 108 bytes including the final zero, on other systems 104. */
const maxSocketPathBytes = 100;

/** Default listen address of a gateway for the gateways of other nodes. */
export const defaultClusterListen = '2444';

/** Default address of the control plane. */
export function defaultPlatformSocket(dataDir: string): string {
  return runSocket(dataDir, 'platform');
}

/** Unix socket of a gateway for connections from the other gateways of its node. */
export function siblingSocket(dataDir: string, gateway: number): string {
  return runSocket(dataDir, `gateway-${gateway}`);
}

/** `DATA_DIR/run/<name>.sock`. If this path is too long, returns a path in the temporary folder with a hash of the data folder. */
function runSocket(dataDir: string, name: string): string {
  const path = join(dataDir, 'run', `${name}.sock`);
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return path;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), name === 'platform' ? `srs-stack-${hash}.sock` : `srs-stack-${hash}-${name}.sock`);
}

/** Parses a listen address; the default host is loopback. @throws StartRefusal naming the variable. */
export function parseLoopbackAddress(variable: string, text: string): { host: string; port: number } {
  const { host = '127.0.0.1', port } = parseListenAddress(variable, text);
  return { host, port };
}

/**
 * Parses addresses separated by commas or spaces, each at most once. The default host is loopback.
 * @throws StartRefusal naming the variable.
 */
export function parseServerAddresses(variable: string, text: string): { host: string; port: number }[] {
  const texts = new Set(text.split(/[\s,]+/).filter(Boolean));
  const found = [...texts].map((each) => parseLoopbackAddress(variable, each));
  if (found.length > 0) return found;
  throw new StartRefusal(`Cannot start: ${variable} must have at least one host:port, not "${text}".`);
}

/** Listen address of the control plane: a Unix socket or a loopback port. */
export type PlatformAddress = { readonly socketPath: string } | { readonly host: string; readonly port: number };

/**
 * Parses the address of the control plane: a socket path if the text has a slash, else a listen address with loopback as default host. Only
 * this machine may connect, because the control plane trusts what a gateway reports about a client.
 * @throws StartRefusal naming the variable.
 */
export function parsePlatformAddress(variable: string, text: string): PlatformAddress {
  if (text.includes('/')) return { socketPath: text };
  const address = parseLoopbackAddress(variable, text);
  if (isLoopback(address.host)) return address;
  throw new StartRefusal(
    `Cannot start: ${variable}="${text}" must be a socket path or a loopback address, because only the gateway connects to it.`,
  );
}
