// Parses the `*_LISTEN` variables: `port`, `:port`, `host:port`, `[v6]:port`, or the path of a Unix socket.
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLoopback } from './ip-address.ts';
import { StartRefusal } from './start-refusal.ts';

export interface ListenAddress {
  /** Every interface without it. */
  readonly host?: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** Largest port: 16 bits on the wire. */
export const maxPort = 65_535;

/** @throws StartRefusal naming the variable when the text is no listen address. */
export function parseListenAddress(variable: string, text: string): ListenAddress {
  const match = /^(?:(?<host>\[[^\]]+\]|[^:[\]]*):)?(?<port>\d{1,5})$/.exec(text.trim());
  const port = Number(match?.groups?.port);
  if (!match || port > maxPort) {
    throw new StartRefusal(`Cannot start: ${variable} must be a port or host:port, not "${text}".`);
  }
  const host = match.groups?.host?.replace(/^\[|\]$/g, '');
  return host ? { host, port } : { port };
}

/** The word `off` switches the listener off. @throws StartRefusal naming the variable. */
export function parseOptionalListenAddress(variable: string, text: string): ListenAddress | undefined {
  return text.toLowerCase() === 'off' ? undefined : parseListenAddress(variable, text);
}

/** `first-last`; undefined for an empty text. @throws StartRefusal naming the variable when it is no range. */
export function parsePortRange(variable: string, text: string): { first: number; last: number } | undefined {
  if (text === '') return undefined;
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || first < 1 || last > maxPort || first > last) {
    throw new StartRefusal(`Cannot start: ${variable} must be a range of ports such as 8100-8199, not "${text}".`);
  }
  return { first, last };
}

/** Longest Unix socket path, bytes: the kernel's `sun_path` holds 108 with its end, other systems 104. */
const maxSocketPathBytes = 100;

/** Default address of a gateway for the gateways of other nodes. */
export const defaultClusterListen = '2444';

/** Default address of the control plane. */
export function defaultPlatformSocket(dataDir: string): string {
  return runSocket(dataDir, 'platform');
}

/** Where a gateway listens for the other gateways of its node. */
export function siblingSocket(dataDir: string, gateway: number): string {
  return runSocket(dataDir, `gateway-${gateway}`);
}

/** `DATA_DIR/run/<name>.sock`, or a short path in the temporary folder that is the same for the same data folder and name. */
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

/** Where the control plane listens: a Unix socket or a loopback port. */
export type PlatformAddress = { readonly socketPath: string } | { readonly host: string; readonly port: number };

/**
 * A value with a slash is a socket path; anything else a listen address whose host defaults to loopback. The control plane
 * trusts what its peer reports about the client, so only this machine may connect.
 * @throws StartRefusal naming the variable.
 */
export function parsePlatformAddress(variable: string, text: string): PlatformAddress {
  if (text.includes('/')) return { socketPath: text };
  const address = parseLoopbackAddress(variable, text);
  if (isLoopback(address.host)) return address;
  throw new StartRefusal(
    `Cannot start: ${variable}="${text}" must be a socket path or a loopback address, only the gateway connects.`,
  );
}
