// Signed links (docs/how-to/sign-links.md): the value of the parameter `watch` consists of the signing key's id, the expiry, the streams
// that it authorizes, and the signature. It contains no `&`, `,`, `/`, `:` and `%`, so that it is valid in RTMP names and SRT stream ids.
// Pure.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Name of the parameter in addresses. */
export const watchParameter = 'watch';
/** Longest parsed value, characters; a value with the longest pattern has 500. */
export const maxWatchValueLength = 1_024;
/** Longest query that is parsed, characters; players add a few parameters. */
export const maxWatchQueryLength = 8 * 1_024;

/** Content of a link, without its signature. Times are Unix seconds. */
export interface WatchClaims {
  /** Id of the signing key. */
  readonly key: string;
  readonly expires: number;
  readonly starts?: number;
  /** Whether the link is valid for one address only. The signed text contains that address, the link does not. */
  readonly isForAddress: boolean;
  /** The streams that it authorizes; undefined: the stream of the address to which it is appended. */
  readonly pattern?: string;
}

export interface WatchLink extends WatchClaims {
  /** 64 hexadecimal digits. */
  readonly signature: string;
}

/** The signed text: five lines, of which the last three may be empty. */
export function canonicalText(link: { pattern: string; expires: number; starts?: number; address?: string }): string {
  const { pattern, expires, starts = '', address = '' } = link;
  return ['watch', pattern, expires, starts, address].join('\n');
}

/** HMAC-SHA-256 in lower-case hexadecimal digits. */
export function signText(text: string, secret: KeyObject): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** Writes `key.expires[.s<start>][.a][.p<pattern in base64url>].signature`. */
export function writeWatchValue({ key, expires, starts, isForAddress, pattern, signature }: WatchLink): string {
  const parts = [key, String(expires)];
  if (starts !== undefined) parts.push(`s${starts}`);
  if (isForAddress) parts.push('a');
  if (pattern !== undefined) parts.push(`p${Buffer.from(pattern).toString('base64url')}`);
  return [...parts, signature].join('.');
}

const valueForm =
  /^([A-Za-z0-9]{1,16})\.(\d{1,12})(?:\.s(\d{1,12}))?(\.a)?(?:\.p([A-Za-z0-9_-]{1,700}))?\.([0-9a-f]{64})$/;

/** Undefined when the text is not a link value. Never throws. */
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

/** Compares in constant time; both have the same length by their format. */
export function signaturesEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** `many`: the parameter occurs more than once, which neither players nor the console do. */
export type WatchParameter =
  | { readonly kind: 'none' }
  | { readonly kind: 'many' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'value'; readonly value: string };

/** Reads the parameter from a query, with or without its `?`. Never throws. */
export function watchParameterOf(param: string): WatchParameter {
  if (param.length > maxWatchQueryLength) return { kind: 'too-long' };
  const found: string[] = [];
  for (const pair of param.replace(/^\?/, '').split('&')) {
    if (pair.startsWith(`${watchParameter}=`)) found.push(pair.slice(watchParameter.length + 1));
  }
  if (found.length > 1) return { kind: 'many' };
  return found[0] === undefined || found[0] === '' ? { kind: 'none' } : { kind: 'value', value: decoded(found[0]) };
}

/** Percent-decoded, because some players encode characters needlessly. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The value of a link for a stream or pattern, signed with an operator's key. Times are Unix seconds. */
export function signLink(link: {
  readonly key: { readonly id: string; readonly secret: string };
  readonly pattern: string;
  readonly expires: number;
  readonly starts?: number;
  /** In the format of `canonicalAddress`. */
  readonly address?: string;
}): string {
  const { key, pattern, expires, starts, address } = link;
  const signature = signText(canonicalText(link), createSecretKey(Buffer.from(key.secret)));
  const claims = { key: key.id, expires, isForAddress: address !== undefined, signature };
  // A link for exactly one stream need not contain its name.
  const named = pattern.includes('*') ? { pattern } : {};
  return writeWatchValue({ ...claims, ...(starts !== undefined && { starts }), ...named });
}
