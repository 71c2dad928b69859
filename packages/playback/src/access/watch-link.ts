// Signed links (docs/how-to/sign-links.md). The value of the parameter `watch` contains the id of the signing key, the expiry, the
// authorized streams and the signature. A value never contains `&`, `,`, `/`, `:` or `%`, so RTMP names and SRT stream ids can carry it.
// Pure.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

export const watchParameter = 'watch';
/** Maximum length of a parsed value, characters. A value with the longest pattern has about 800. */
export const maxWatchValueLength = 1_024;
/** Maximum length of a parsed query, characters. Players add a few parameters to the link. */
export const maxWatchQueryLength = 8 * 1_024;

/** Content of a link, without its signature. Times are Unix seconds. */
export interface WatchClaims {
  readonly key: string;
  readonly expires: number;
  readonly starts?: number;
  /** Whether the link is valid for one address only. The signed text contains the address; the link does not. */
  readonly isForAddress: boolean;
  /** The authorized streams; undefined means the stream whose address the link is appended to. */
  readonly pattern?: string;
}

export interface WatchLink extends WatchClaims {
  /** 64 hexadecimal digits. */
  readonly signature: string;
}

/** The signed text: five lines, of which the last two may be empty. */
export function canonicalText(link: { pattern: string; expires: number; starts?: number; address?: string }): string {
  const { pattern, expires, starts = '', address = '' } = link;
  return ['watch', pattern, expires, starts, address].join('\n');
}

/** HMAC-SHA-256 in lower-case hexadecimal digits. */
export function signText(text: string, secret: KeyObject): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** Writes the form `key.expires[.s<start>][.a][.p<pattern in base64url>].signature`. */
export function writeWatchValue({ key, expires, starts, isForAddress, pattern, signature }: WatchLink): string {
  const parts = [key, String(expires)];
  if (starts !== undefined) parts.push(`s${starts}`);
  if (isForAddress) parts.push('a');
  if (pattern !== undefined) parts.push(`p${Buffer.from(pattern).toString('base64url')}`);
  return [...parts, signature].join('.');
}

const valueForm =
  /^([A-Za-z0-9]{1,16})\.(\d{1,12})(?:\.s(\d{1,12}))?(\.a)?(?:\.p([A-Za-z0-9_-]{1,700}))?\.([0-9a-f]{64})$/;

/** Parses a link value. Returns undefined for any other text. Never throws. */
export function parseWatchValue(text: string): WatchLink | undefined {
  if (text.length > maxWatchValueLength) return undefined;
  const match = valueForm.exec(text);
  if (!match) return undefined;
  const [, key, expires, starts, address, pattern, signature] = match;
  return {
    key: key!,
    expires: Number(expires),
    ...(starts !== undefined && { starts: Number(starts) }),
    isForAddress: address !== undefined,
    ...(pattern !== undefined && { pattern: Buffer.from(pattern, 'base64url').toString('utf8') }),
    signature: signature!,
  };
}

/** Compares two signatures in constant time. */
export function signaturesEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** `many`: the query contains the parameter more than once. Players and the console never send such a query. */
export type WatchParameter =
  | { readonly kind: 'none' }
  | { readonly kind: 'many' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'value'; readonly value: string };

/** Reads the parameter from a query, which may start with `?`. Never throws. */
export function watchParameterOf(param: string): WatchParameter {
  if (param.length > maxWatchQueryLength) return { kind: 'too-long' };
  const found: string[] = [];
  for (const pair of param.replace(/^\?/, '').split('&')) {
    if (pair.startsWith(`${watchParameter}=`)) found.push(pair.slice(watchParameter.length + 1));
  }
  if (found.length > 1) return { kind: 'many' };
  return found[0] === undefined || found[0] === '' ? { kind: 'none' } : { kind: 'value', value: decoded(found[0]) };
}

/** Percent-decodes the value, because some players encode characters needlessly. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Creates a link value for a stream or pattern, signed with a key of the operator. Times are Unix seconds. */
export function signLink(link: {
  readonly key: { readonly id: string; readonly secret: string };
  readonly pattern: string;
  readonly expires: number;
  readonly starts?: number;
  /** The only viewer address for which the link is valid, in the form of `canonicalAddress`. */
  readonly address?: string;
}): string {
  const { key, pattern, expires, starts, address } = link;
  const signature = signText(canonicalText(link), createSecretKey(Buffer.from(key.secret)));
  const claims = { key: key.id, expires, isForAddress: address !== undefined, signature };
  // A link for exactly one stream need not contain its name.
  const named = pattern.includes('*') ? { pattern } : {};
  return writeWatchValue({ ...claims, ...(starts !== undefined && { starts }), ...named });
}
