// Parses the `*_LISTEN` variables: `port`, `:port`, `host:port`, `[v6]:port`, or the path of a Unix socket.
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLoopback } from './ip-address.ts';
import { StartRefusal } from './start-refusal.ts';

export interface ListenAddress {
  /** Absent: every interface. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Largest port: 16 bits on the wire. */
export const maxPort = 65_535;

/** @throws StartRefusal naming the variable for an invalid listen address. */
export function parseListenAddress(variable: string, text: string): ListenAddress {
  const match = /^(?:(?<host>\[[^\]]+\]|[^:[\]]*):)?(?<port>\d{1,5})$/.exec(text.trim());
  const port = Number(match?.groups?.port);
  if (!match || port > maxPort) {
    throw new StartRefusal(`Cannot start: ${variable} must be a port or host:port, not "${text}".`);
  }
  const host = match.groups?.host?.replace(/^\[|\]$/g, '');
  return host ? { host, port } : { port };
}

/** `off` disables the listener. @throws StartRefusal naming the variable. */
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

/** Longest path of a Unix socket, bytes: the kernel's `sun_path` has 108 including its end, 104 on other systems. */
const maxSocketPathBytes = 100;

/** Default listen address of a gateway for the gateways of other nodes. */
export const defaultClusterListen = '2444';

/** Default address of the control plane. */
export function defaultPlatformSocket(dataDir: string): string {
  return runSocket(dataDir, 'platform');
}

/** Unix socket on which a gateway listens for the other gateways of its node. */
export function siblingSocket(dataDir: string, gateway: number): string {
  return runSocket(dataDir, `gateway-${gateway}`);
}

/** `DATA_DIR/run/<name>.sock`. If that path is too long, a path in the temporary folder that depends only on data folder and name. */
function runSocket(dataDir: string, name: string): string {
  const path = join(dataDir, 'run', `${name}.sock`);
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return path;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), name === 'platform' ? `srs-stack-${hash}.sock` : `srs-stack-${hash}-${name}.sock`);
}

/** A listen address whose host defaults to loopback. @throws StartRefusal naming the variable. */
export function parseLoopbackAddress(variable: string, text: string): { host: string; port: number } {
  const { host = '127.0.0.1', port } = parseListenAddress(variable, text);
  return { host, port };
}

/**
 * Addresses separated by commas or spaces, each at most once; a host defaults to loopback.
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
 * Parses the address of the control plane: with a slash the path of a socket, otherwise a listen address whose host defaults to loopback.
 * Only this machine may connect, because the control plane trusts what its peer reports about the client.
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
