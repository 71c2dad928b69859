// The API secret: the bearer value of scripts and the key that signs session tokens. Made at first boot.
import { randomBytes } from 'node:crypto';
import { AppError } from '@srs-stack/contract';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';
import { secretsEqual } from './secrets-equal.ts';

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
  /** In constant time. */
  matches(candidate: string): boolean;
  /** Makes a new one. Throws `secretFixedByEnvironment` when the operator set it. */
  rotate(): Promise<void>;
}

/** `fixed` is the value of SRS_PLATFORM_SECRET, '' when not set; it wins over the stored one. */
export async function openApiSecret(deps: { store: Store; now: () => Date; fixed: string }): Promise<ApiSecret> {
  const { store, now, fixed } = deps;
  let stored = (await store.get(apiSecretDocument)).token;
  const keep = async (token: string) => {
    await store.set(apiSecretDocument, { token, update: now().toISOString() });
    stored = token;
  };
  if (!stored) await keep(fixed || generate());
  const current = () => fixed || stored;
  return {
    current,
    matches: (candidate) => secretsEqual(candidate, current()),
    async rotate() {
      if (fixed) throw new AppError('secretFixedByEnvironment');
      await keep(generate());
    },
  };
}

function generate(): string {
  return secretPrefix + randomBytes(secretRandomBytes).toString('hex');
}
