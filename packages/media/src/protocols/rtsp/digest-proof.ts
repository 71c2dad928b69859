// Server side of Digest authentication for RTSP (RFC 2069, RFC 7616 with MD5). The challenge has no `qop`, because clients implement `qop`
// differently. A response with `qop=auth` is also accepted.
import { createHash } from 'node:crypto';

/** Proves that the client knows the password, but does not contain the password. */
export interface DigestProof {
  readonly user: string;
  readonly realm: string;
  /** Last part of the hash input: nonces, and the hash of method and URL. */
  readonly rest: string;
  /** 32 hexadecimal digits. */
  readonly response: string;
}

export interface ReceivedProof extends DigestProof {
  readonly nonce: string;
  readonly uri: string;
}

/** Maximum length of a parsed header, characters. Real headers are below 500. */
const maxHeaderLength = 4_096;
const parameterPattern = /([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

/** Writes a `WWW-Authenticate` header. `isStale`: the client's nonce was too old, so the client may retry with the same password. */
export function digestChallenge({ realm, nonce, isStale }: { realm: string; nonce: string; isStale: boolean }): string {
  return `Digest realm="${realm}", nonce="${nonce}", algorithm=MD5${isStale ? ', stale=true' : ''}`;
}

/** Returns undefined for other schemes and algorithms, and for invalid values. `method` is the RTSP method of the request. */
export function parseDigestProof(header: string | undefined, method: string): ReceivedProof | undefined {
  const text = /^digest\s+(.*)$/is.exec((header ?? '').slice(0, maxHeaderLength))?.[1];
  if (text === undefined) return undefined;
  const fields = new Map(
    [...text.matchAll(parameterPattern)].map(([, name = '', quoted, plain]): [string, string] => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '',
    ]),
  );
  const { username, realm = '', nonce, uri, response = '', ...others } = Object.fromEntries(fields);
  const { qop, nc = '', cnonce = '', algorithm = 'MD5' } = others;
  const isReadable = username !== undefined && nonce !== undefined && uri !== undefined;
  if (!isReadable || !/^[0-9a-f]{32}$/i.test(response) || algorithm.toUpperCase() !== 'MD5') return undefined;
  if (qop !== undefined && qop.toLowerCase() !== 'auth') return undefined;
  const request = md5(`${method}:${uri}`);
  const rest = qop === undefined ? `${nonce}:${request}` : `${nonce}:${nc}:${cnonce}:${qop}:${request}`;
  return { user: username, realm, rest, response: response.toLowerCase(), nonce, uri };
}

export function provesPassword({ user, realm, rest, response }: DigestProof, password: string): boolean {
  return md5(`${md5(`${user}:${realm}:${password}`)}:${rest}`) === response;
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
