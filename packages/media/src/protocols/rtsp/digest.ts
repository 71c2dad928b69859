// Client side of authentication (RFC 7617 Basic, RFC 7616 Digest): parses a server's challenges and writes the Authorization header.
import { createHash } from 'node:crypto';
import type { Credentials } from './credentials.ts';

type HashName = 'md5' | 'sha256';

export interface DigestChallenge {
  readonly scheme: 'digest';
  readonly hash: HashName;
  /** The session variant (`-sess`): the hash of the password includes both nonces. */
  readonly isSession: boolean;
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  /** False for servers of RFC 2069, which do not count requests. */
  readonly hasQop: boolean;
  /** In the server's spelling; undefined if the challenge has no algorithm. */
  readonly algorithm: string | undefined;
  /** The nonce was too old, but the password is correct. */
  readonly isStale: boolean;
}

export type Challenge = { readonly scheme: 'basic' } | DigestChallenge;

/** Maximum length of a parsed header, characters. Real headers are below 500. */
const maxHeaderLength = 4_096;
const parameterPattern = /([a-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;
/** A scheme name stands at the start or after a comma. A parameter or nothing follows. */
const schemePattern = /(?:^|,)\s*(basic|digest)(?=\s|,|$)/gi;

/** Returns the safest supported challenge. `headers` are the values of all `WWW-Authenticate` headers. */
export function chooseChallenge(headers: readonly string[]): Challenge | undefined {
  const found = headers.flatMap((header) => parseChallenges(header.slice(0, maxHeaderLength)));
  const ranks = found.map((challenge) => ({ challenge, rank: rankOf(challenge) }));
  return ranks.sort((a, b) => b.rank - a.rank)[0]?.challenge;
}

/** A challenge with a higher rank is preferred. Basic has the lowest rank, because Basic sends the password itself. */
function rankOf(challenge: Challenge): number {
  if (challenge.scheme === 'basic') return 0;
  return challenge.hash === 'sha256' ? 2 : 1;
}

function parseChallenges(header: string): Challenge[] {
  const starts = [...header.matchAll(schemePattern)];
  return starts.flatMap((match, index): readonly Challenge[] => {
    const text = header.slice(match.index + match[0].length, starts[index + 1]?.index);
    if (match[1]?.toLowerCase() === 'basic') return [{ scheme: 'basic' }];
    const digest = parseDigest(text);
    return digest ? [digest] : [];
  });
}

function parseDigest(text: string): DigestChallenge | undefined {
  const parameters = new Map(
    [...text.matchAll(parameterPattern)].map(([, name = '', quoted, plain]): [string, string] => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '',
    ]),
  );
  const algorithm = parameters.get('algorithm');
  const [, digest = '', session] = /^(md5|sha-256)(-sess)?$/i.exec(algorithm ?? 'MD5') ?? [];
  const nonce = parameters.get('nonce');
  const qop = parameters.get('qop');
  const choices = qop?.split(',').map((each) => each.trim().toLowerCase());
  if (digest === '' || nonce === undefined || (choices && !choices.includes('auth'))) return undefined;
  return {
    scheme: 'digest',
    hash: digest.toLowerCase() === 'md5' ? 'md5' : 'sha256',
    isSession: session !== undefined,
    realm: parameters.get('realm') ?? '',
    nonce,
    opaque: parameters.get('opaque'),
    hasQop: choices !== undefined,
    algorithm,
    isStale: parameters.get('stale')?.toLowerCase() === 'true',
  };
}

export interface AuthorizedRequest {
  readonly method: string;
  readonly url: string;
  /** Number of requests with this nonce, including this request. */
  readonly count: number;
  readonly clientNonce: string;
}

/** Value of the Authorization header. */
export function authorize(challenge: Challenge, credentials: Credentials, request: AuthorizedRequest): string {
  if (challenge.scheme === 'basic') {
    return `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
  }
  const { hash, realm, nonce, opaque, hasQop, algorithm } = challenge;
  const { url, clientNonce } = request;
  const count = request.count.toString(16).padStart(8, '0');
  const response = digestOf(challenge, credentials, { ...request, count });
  const fields = [
    ...[`username=${quoted(credentials.user)}`, `realm=${quoted(realm)}`, `nonce=${quoted(nonce)}`],
    ...[`uri=${quoted(url)}`, `response="${response}"`],
    ...(algorithm === undefined ? [] : [`algorithm=${hash === 'md5' ? 'MD5' : 'SHA-256'}${sessionSuffix(challenge)}`]),
    ...(hasQop ? ['qop=auth', `nc=${count}`] : []),
    ...(hasQop || challenge.isSession ? [`cnonce="${clientNonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ];
  return `Digest ${fields.join(', ')}`;
}

function sessionSuffix({ isSession }: DigestChallenge): string {
  return isSession ? '-sess' : '';
}

function digestOf(
  { hash, isSession, realm, nonce, hasQop }: DigestChallenge,
  { user, password }: Credentials,
  { method, url, count, clientNonce }: { method: string; url: string; count: string; clientNonce: string },
): string {
  const hashed = (...parts: string[]): string => createHash(hash).update(parts.join(':')).digest('hex');
  const plain = hashed(user, realm, password);
  const secret = isSession ? hashed(plain, nonce, clientNonce) : plain;
  const target = hashed(method, url);
  return hasQop ? hashed(secret, nonce, count, clientNonce, 'auth', target) : hashed(secret, nonce, target);
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/[\r\n]/g, '')}"`;
}
