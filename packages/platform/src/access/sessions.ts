// Session tokens and bearers: JWT HS256 signed with the API secret, valid for 365 days unless the epoch is increased. A session has both:
// the token for request bodies, the bearer for the header. A login never returns the API secret. The cookies of a browser are JWTs of
// the same kind.
import { randomBytes } from 'node:crypto';
import type { Session } from '@srs-stack/contract';
import { createSigner, createVerifier } from 'fast-jwt';
import type { ApiSecret } from './api-secret.ts';
import { firstEpoch, type SessionEpoch } from './session-epoch.ts';

const tokenLifetimeMs = 365 * 24 * 3_600_000;
const claimsVersion = '1.0';
const nonceBytes = 8;
/** Lifetime of the page cookie, milliseconds: a working day. Pages renew it. It outlives a logout of consoles that send no logout call. */
export const pageCookieLifetimeMs = 12 * 3_600_000;
/** Longest token that is verified, characters; limits the hashing per request. Tokens of this server have about 200. */
const maxTokenLength = 1_024;
/** Maximum number of verified tokens in the cache: one per open console, 1 kB each. */
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
  /** For the body field `token`. */
  isValidToken(token: string): boolean;
  /** For `Authorization: Bearer`: the API secret, or the bearer of a session that has not ended. */
  isValidBearer(value: string): boolean;
  /** Value of the cookie of a browser that logged in before. It is not a credential. */
  issueDevice(): string;
  /** Id of the browser; undefined for a cookie that is forged, expired, or older than a global sign-out. */
  deviceOf(cookie: string): string | undefined;
  /** Value of the page cookie: it authorizes only the calls that consoles of earlier releases make without a credential. */
  issuePage(): string;
  /** Verifies a value of the page cookie. */
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
  /** The claims of a token that is valid now for exactly this use. */
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
    // Expiry is checked on every call against the local clock, so the verdict can be cached.
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
