// Session tokens: JWT HS256 signed with the API secret, valid for 365 days unless the epoch is raised.
import { randomBytes } from 'node:crypto';
import type { Session } from '@srs-stack/contract';
import { createSigner, createVerifier } from 'fast-jwt';
import type { ApiSecret } from './api-secret.ts';
import { firstEpoch, type SessionEpoch } from './session-epoch.ts';

const tokenLifetimeMs = 365 * 24 * 3_600_000;
const claimsVersion = '1.0';
const nonceBytes = 8;
/** Longest token looked at, characters: ours have about 200, so that nobody makes the server hash more. */
const maxTokenLength = 1_024;
/** Verified tokens remembered: one per open console, 1 kB each. */
const verifiedTokenCacheSize = 1_000;

interface Claims {
  readonly v: string;
  readonly nonce: string;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
  readonly epoch?: number;
}

export interface Sessions {
  issue(): Session;
  isValidToken(token: string): boolean;
  isValidBearer(value: string): boolean;
}

export function createSessions(deps: { secret: ApiSecret; epoch: SessionEpoch; now: () => Date }): Sessions {
  const { secret, epoch, now } = deps;
  let tools = createTools(secret.current());
  const currentTools = () => {
    if (tools.key !== secret.current()) tools = createTools(secret.current());
    return tools;
  };
  return {
    issue() {
      const createdMs = now().getTime();
      const expiresMs = createdMs + tokenLifetimeMs;
      const claims: Claims = {
        v: claimsVersion,
        nonce: randomBytes(nonceBytes).toString('hex'),
        iat: Math.floor(createdMs / 1000),
        exp: Math.floor(expiresMs / 1000),
        epoch: epoch.current(),
      };
      return {
        token: currentTools().sign({ ...claims }),
        createAt: new Date(createdMs).toISOString(),
        expireAt: new Date(expiresMs).toISOString(),
        bearer: secret.current(),
      };
    },
    isValidToken(token) {
      if (token.length > maxTokenLength) return false;
      const claims = verified(currentTools().verify, token);
      if (!claims || !(claims.exp * 1000 > now().getTime())) return false;
      return (claims.epoch ?? firstEpoch) === epoch.current();
    },
    isValidBearer: (value) => secret.matches(value),
  };
}

function createTools(key: string) {
  return {
    key,
    sign: createSigner({ key, algorithm: 'HS256' }) as (claims: object) => string,
    // Expiry is checked on every call against our own clock, so the cached verdict may stay.
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
