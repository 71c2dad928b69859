// The number every session token carries. Raising it ends all tokens of before: on a password change, on sign-out
// everywhere, and when the password in the settings file was changed while the server was down.
import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';
import { secretsEqual } from './secrets-equal.ts';

/** Tokens without the claim (made by earlier releases or by scripts that hold the API secret) belong to this epoch. */
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
  /** Ends all tokens; `password` is the one that counts from now on. */
  raise(password: string): Promise<void>;
  /** Remembers the first password; tokens stay as they are. */
  remember(password: string): Promise<void>;
}

export async function openSessionEpoch(store: Store, password: string): Promise<SessionEpoch> {
  let state = await store.get(epochDocument);
  const keep = async (epoch: number, current: string) => {
    const salt = randomBytes(saltBytes).toString('hex');
    const next = { epoch, salt, passwordHash: hashOf(current, salt) };
    await store.set(epochDocument, next);
    state = next;
  };
  const isKnown = state.passwordHash !== '';
  if (!isKnown) await keep(state.epoch, password);
  else if (!secretsEqual(hashOf(password, state.salt), state.passwordHash)) await keep(state.epoch + 1, password);
  return {
    current: () => state.epoch,
    raise: (current) => keep(state.epoch + 1, current),
    remember: (current) => keep(state.epoch, current),
  };
}

/** The document is encrypted, so this need not withstand guessing by itself. */
function hashOf(password: string, salt: string): string {
  return createHmac('sha256', salt).update(password).digest('hex');
}
