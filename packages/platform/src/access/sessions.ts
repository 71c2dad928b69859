// Session tokens and bearers: JWT HS256 signed with the API secret, valid for 365 days or until the epoch changes. A session has a token
// for request bodies and a bearer for the header. Cookies are also JWTs. A login never returns the API secret.
import { randomBytes } from 'node:crypto';
import type { Session } from '@srs-stack/contract';
import { createSigner, createVerifier } from 'fast-jwt';
import type { ApiSecret } from './api-secret.ts';
import { firstEpoch, type SessionEpoch } from './session-epoch.ts';

const tokenLifetimeMs = 365 * 24 * 3_600_000;
const claimsVersion = '1.0';
const nonceBytes = 8;
/**
 * Lifetime of the page cookie, milliseconds. Pages renew the cookie. Some consoles send no logout call; their cookie stays valid for this
 * time.
 */
export const pageCookieLifetimeMs = 12 * 3_600_000;
/** Longest accepted token, characters. Limits the hashing per request; tokens of this server have about 200. */
const maxTokenLength = 1_024;
/** Maximum number of cached verified tokens: one per open console, 1 kB each. */
const verifiedTokenCacheSize = 1_000;

interface Claims {
  readonly v: string;
  readonly nonce: string;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
  readonly epoch?: number;
  /** Where the token is valid. Absent in session tokens and in tokens that scripts sign with the API secret. */
  readonly use?: Use;
}

type Use = 'bearer' | 'device' | 'page';

export interface Sessions {
  issue(): Session;
  /** For the field `token` in request bodies. */
  isValidToken(token: string): boolean;
  /** For `Authorization: Bearer`: the API secret, or the bearer of a session that has not ended. */
  isValidBearer(value: string): boolean;
  /** Creates the cookie of a browser after login. The cookie is not a credential. */
  issueDevice(): string;
  /** Returns the id of the browser. Undefined for a forged or expired cookie, and after a global sign-out. */
  deviceOf(cookie: string): string | undefined;
  /** Creates the page cookie. It authorizes only calls that consoles of earlier releases make without a credential. */
  issuePage(): string;
  isValidPage(cookie: string): boolean;
}

export function createSessions(deps: { secret: ApiSecret; epoch: SessionEpoch; now: () => Date }): Sessions {
  const { secret, epoch, now } = deps;
  let tools = createTools(secret.current());
  const currentTools = () => {
    if (tools.key !== secret.current()) tools = createTools(secret.current());
    return tools;
  };
  const sign = (atMs: number, use?: Use, lifetimeMs = tokenLifetimeMs): string => {
    const claims: Claims = {
      v: claimsVersion,
      nonce: randomBytes(nonceBytes).toString('hex'),
      iat: Math.floor(atMs / 1000),
      exp: Math.floor((atMs + lifetimeMs) / 1000),
      epoch: epoch.current(),
      ...(use && { use }),
    };
    return currentTools().sign(claims);
  };
  /** Claims of a token that is valid now for this use. */
  const claimsOf = (token: string, use?: Use): Claims | undefined => {
    if (token.length > maxTokenLength) return undefined;
    const claims = verified(currentTools().verify, token);
    if (!claims || claims.use !== use || !isNumericDate(claims.iat) || !isNumericDate(claims.exp)) return undefined;
    if (!(claims.exp * 1000 > now().getTime())) return undefined;
    return (claims.epoch ?? firstEpoch) === epoch.current() ? claims : undefined;
  };
  return {
    issue() {
      const createdMs = now().getTime();
      return {
        token: sign(createdMs),
        createAt: new Date(createdMs).toISOString(),
        expireAt: new Date(createdMs + tokenLifetimeMs).toISOString(),
        bearer: sign(createdMs, 'bearer'),
      };
    },
    isValidToken: (token) => claimsOf(token) !== undefined,
    isValidBearer: (value) => secret.matches(value) || claimsOf(value, 'bearer') !== undefined,
    issueDevice: () => sign(now().getTime(), 'device'),
    deviceOf: (cookie) => claimsOf(cookie, 'device')?.nonce,
    issuePage: () => sign(now().getTime(), 'page', pageCookieLifetimeMs),
    isValidPage: (cookie) => claimsOf(cookie, 'page') !== undefined,
  };
}

function createTools(key: string) {
  return {
    key,
    sign: createSigner({ key, algorithm: 'HS256' }) as (claims: object) => string,
    // `claimsOf` checks expiry on every call, so the verified claims can be cached.
    verify: createVerifier({
      key,
      algorithms: ['HS256'],
      cache: verifiedTokenCacheSize,
      cacheTTL: tokenLifetimeMs,
      ignoreExpiration: true,
      requiredClaims: ['exp', 'iat'],
    }) as (token: string) => Claims,
  };
}

function verified(verify: (token: string) => Claims, token: string): Claims | undefined {
  try {
    return verify(token);
  } catch {
    return undefined;
  }
}

/** RFC 7519 §2: a JSON number; a numeric string does not count. */
function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
