// The server's side of Digest authentication for RTSP clients (RFC 2069, RFC 7616 with MD5): its challenge, and the verification of the
// response. The challenge has no `qop`, because clients differ in it; a response with `qop=auth` is accepted too. Pure.
import { createHash } from 'node:crypto';

/** Proves that the client knows the password, without containing it. */
export interface DigestProof {
  readonly user: string;
  readonly realm: string;
  /** Hash input after the hash of user, realm and password: nonces and the hash of the request. */
  readonly rest: string;
  /** 32 hexadecimal digits. */
  readonly response: string;
}

export interface ReceivedProof extends DigestProof {
  readonly nonce: string;
  /** The URL that the client used in the hash. */
  readonly uri: string;
}

/** Maximum length of a parsed header, characters: real ones are below 500. */
const maxHeaderLength = 4_096;
const parameterPattern = /([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

/**
 * Value of a `WWW-Authenticate` header. `isStale`: the nonce of the request was too old, so the client may retry with the same password.
 */
export function digestChallenge({ realm, nonce, isStale }: { realm: string; nonce: string; isStale: boolean }): string {
  return `Digest realm="${realm}", nonce="${nonce}", algorithm=MD5${isStale ? ', stale=true' : ''}`;
}

/** Undefined for other schemes and algorithms, and for invalid values. `method`: that of the request with the header. */
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
