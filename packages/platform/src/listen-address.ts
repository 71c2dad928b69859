// Listen values of the environment: `port`, `:port`, `host:port` or an absolute Unix socket path.
import { isIP } from 'node:net';
import { BootError } from './boot-error.ts';

export type ListenAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** Longest Unix socket path, bytes: the kernel's `sun_path` holds 108 with its end, other systems 104. */
export const maxSocketPathBytes = 100;
const maxPort = 65_535;
const defaultHost = '127.0.0.1';

/** Reads `port`, `:port`, `host:port` or `[v6]:port`. Throws BootError that names the variable. */
export function parseTcpAddress(variable: string, value: string): { host: string; port: number } {
  const match = /^(?:(\[[^\]]+\]|[^:]*):)?(\d{1,5})$/.exec(value.trim());
  const port = Number(match?.[2]);
  if (!match || port > maxPort) throw new BootError(`${variable}="${value}" is not a port or host:port`);
  return { host: match[1]?.replace(/^\[|\]$/g, '') || defaultHost, port };
}

/** Reads PLATFORM_LISTEN. The API trusts what its peer says about the client, so only this machine may connect. */
export function parsePlatformListen(value: string): ListenAddress {
  if (value.startsWith('/')) return { kind: 'socket', path: value };
  const { host, port } = parseTcpAddress('PLATFORM_LISTEN', value);
  if (!isLoopback(host)) {
    throw new BootError(
      `PLATFORM_LISTEN="${value}" must be a socket path or a loopback address, only the gateway connects`,
    );
  }
  return { kind: 'tcp', host, port };
}

/** True for `localhost`, 127.0.0.0/8, `::1` and IPv4-mapped loopback. */
export function isLoopback(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, '');
  if (plain === 'localhost' || plain === '::1') return true;
  return isIP(plain) === 4 && plain.startsWith('127.');
}
