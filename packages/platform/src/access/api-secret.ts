// The API secret: bearer credential of scripts, and signing key of session tokens. Generated at the first start.
import { randomBytes } from 'node:crypto';
import { AppError } from '@srs-stack/contract';
import { z } from 'zod';
import { rememberLast } from '../remember-last.ts';
import { holdDocument } from '../store/held-document.ts';
import type { DocumentType, Store } from '../store/store.ts';
import { matchesDigest, secretDigest } from './secrets-equal.ts';

const secretPrefix = 'srs-v2-';
const secretRandomBytes = 16;

const apiSecretDocument: DocumentType<{ token: string; update: string }> = {
  key: 'api-secret',
  schema: z.object({ token: z.string(), update: z.string() }),
  empty: { token: '', update: '' },
  secret: true,
};

export interface ApiSecret {
  current(): string;
  /** Compares in constant time. */
  matches(candidate: string): boolean;
  /** Throws `secretFixedByEnvironment` when SRS_PLATFORM_SECRET sets the secret. */
  requireReplaceable(): void;
  /** Generates a new secret; throws like `requireReplaceable`. */
  rotate(): Promise<void>;
}

/**
 * Loads the secret, or generates one at the first start. `fixed` (SRS_PLATFORM_SECRET, '' when unset) takes precedence over the stored
 * secret.
 */
export async function openApiSecret(deps: { store: Store; now: () => Date; fixed: string }): Promise<ApiSecret> {
  const { store, now, fixed } = deps;
  const held = await holdDocument(store, apiSecretDocument);
  const madeNow = (token: string) => ({ token, update: now().toISOString() });
  if (!held.current().token) await held.saveFirst(madeNow(fixed || generate()));
  const current = () => fixed || held.current().token;
  const digestOf = rememberLast(secretDigest);
  const requireReplaceable = () => {
    if (fixed) throw new AppError('secretFixedByEnvironment');
  };
  return {
    current,
    matches: (candidate) => matchesDigest(candidate, digestOf(current())),
    requireReplaceable,
    async rotate() {
      requireReplaceable();
      await held.replace(held.current(), madeNow(generate()));
    },
  };
}

function generate(): string {
  return secretPrefix + randomBytes(secretRandomBytes).toString('hex');
}
