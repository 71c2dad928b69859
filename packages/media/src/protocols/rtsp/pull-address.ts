// Address of a stream to pull: `rtsp://user:password@host:port/path?query`, as in a camera's manual.
import type { Credentials } from './credentials.ts';

export interface PullAddress {
  readonly isTls: boolean;
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly url: string;
  readonly credentials: Credentials | undefined;
}

const defaultPort = { rtsp: 554, rtsps: 322 } as const;
const highestPort = 65_535;
/** The last `@` before the path ends the credentials, because camera passwords may contain any character. */
const pattern = /^(rtsps?):\/\/(?:([^/]*)@)?(\[[0-9a-f:.]+\]|[^/?#:@[\]\s]+)(?::(\d{1,5}))?([/?][^\s\p{Cc}]*)?$/isu;

/** Undefined when `text` is not an RTSP address. */
export function parsePullAddress(text: string): PullAddress | undefined {
  const [, scheme = '', userInfo, host = '', port, path = ''] = pattern.exec(text) ?? [];
  if (host === '') return undefined;
  const isTls = scheme.toLowerCase() === 'rtsps';
  const portNumber = port === undefined ? defaultPort[isTls ? 'rtsps' : 'rtsp'] : Number(port);
  if (portNumber < 1 || portNumber > highestPort) return undefined;
  const authority = port === undefined ? host : `${host}:${port}`;
  return {
    isTls,
    host: host.replace(/^\[|\]$/g, ''),
    port: portNumber,
    url: `${scheme.toLowerCase()}://${authority}${path}`,
    credentials: credentialsOf(userInfo),
  };
}

function credentialsOf(userInfo: string | undefined): Credentials | undefined {
  if (!userInfo) return undefined;
  const [user = '', ...password] = userInfo.split(':');
  return { user: decoded(user), password: decoded(password.join(':')) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Resolves a control attribute (RFC 2326 §C.1.1), which is absolute or relative to `base`. */
export function controlUrl(base: string, control: string): string {
  if (control === '' || control === '*') return base;
  if (/^rtspu?s?:\/\//i.test(control)) return control;
  return `${base.replace(/\/$/, '')}/${control.replace(/^\//, '')}`;
}
