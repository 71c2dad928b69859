// The epoch is a number in every session token. A higher epoch ends all earlier tokens: after a password change, a global sign-out, or a
// new password in the settings file.
import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { holdDocument } from '../store/held-document.ts';
import type { DocumentType, Store } from '../store/store.ts';
import { secretsEqual } from './secrets-equal.ts';

/** Epoch of tokens without an epoch claim, from earlier releases or from scripts with the API secret. */
export const firstEpoch = 1;
const saltBytes = 16;

const epochDocument: DocumentType<{ epoch: number; salt: string; passwordHash: string }> = {
  key: 'session-epoch',
  schema: z.object({ epoch: z.number().int(), salt: z.string(), passwordHash: z.string() }),
  empty: { epoch: firstEpoch, salt: '', passwordHash: '' },
  secret: true,
};

export interface SessionEpoch {
  current(): number;
  /** Ends all tokens. `password` is the new valid password. */
  raise(password: string): Promise<void>;
  /** Stores the hash of the first password. Tokens stay valid. */
  remember(password: string): Promise<void>;
}

export async function openSessionEpoch(store: Store, password: string): Promise<SessionEpoch> {
  const held = await holdDocument(store, epochDocument);
  const next = (epoch: number, current: string) => {
    const salt = randomBytes(saltBytes).toString('hex');
    return { epoch, salt, passwordHash: hashOf(current, salt) };
  };
  const { epoch, salt, passwordHash } = held.current();
  if (passwordHash === '') await held.saveFirst(next(epoch, password));
  else if (!secretsEqual(hashOf(password, salt), passwordHash)) await held.saveFirst(next(epoch + 1, password));
  return {
    current: () => held.current().epoch,
    raise: (current) => held.replace(held.current(), next(held.current().epoch + 1, current)),
    remember: (current) => held.replace(held.current(), next(held.current().epoch, current)),
  };
}

/** Salted hash of a password. A fast hash is sufficient, because the document is encrypted. */
function hashOf(password: string, salt: string): string {
  return createHmac('sha256', salt).update(password).digest('hex');
}
