// Parses the `*_LISTEN` variables: `port`, `:port`, `host:port`, `[v6]:port`.
import type { ListenAddress } from '@srs-stack/engine';
import { StartupError } from './startup-error.ts';

/** Largest port: 16 bits on the wire. */
export const maxPort = 65_535;

/** @throws StartupError naming the variable when the text is no listen address. */
export function parseListenAddress(variable: string, text: string): ListenAddress {
  const match = /^(?:(?<host>\[[^\]]+\]|[^:[\]]*):)?(?<port>\d{1,5})$/.exec(text.trim());
  const port = Number(match?.groups?.port);
  if (!match || port > maxPort) {
    throw new StartupError(`Cannot start: ${variable} must be a port or host:port, not "${text}".`);
  }
  const host = match.groups?.host?.replace(/^\[|\]$/g, '');
  return host ? { host, port } : { port };
}

/** The word `off` switches the listener off. @throws StartupError naming the variable. */
export function parseOptionalListenAddress(variable: string, text: string): ListenAddress | undefined {
  return text.toLowerCase() === 'off' ? undefined : parseListenAddress(variable, text);
}

/** `first-last`; undefined for an empty text. @throws StartupError naming the variable when it is no range. */
export function parsePortRange(variable: string, text: string): { first: number; last: number } | undefined {
  if (text === '') return undefined;
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || first < 1 || last > maxPort || first > last) {
    throw new StartupError(`Cannot start: ${variable} must be a range of ports such as 8100-8199, not "${text}".`);
  }
  return { first, last };
}

/** Where the control plane listens: a Unix socket or a loopback port. */
export type PlatformAddress = { readonly socketPath: string } | { readonly host: string; readonly port: number };

/** A value with a slash is a socket path; anything else a listen address whose host defaults to loopback. */
export function parsePlatformAddress(variable: string, text: string): PlatformAddress {
  if (text.includes('/')) return { socketPath: text };
  const { host = '127.0.0.1', port } = parseListenAddress(variable, text);
  return { host, port };
}
