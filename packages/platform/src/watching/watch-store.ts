// Stored data of playback authorization. Encrypted at rest, because the data contains signing keys.
import { randomBytes } from 'node:crypto';
import { type WatchMode, watchModes } from '@srs-stack/contract';
import { z } from 'zod';
import { type HeldDocument, holdDocument } from '../store/held-document.ts';
import type { DocumentType, Store } from '../store/store.ts';

export interface StoredRule {
  readonly pattern: string;
  readonly mode: WatchMode;
  /** scrypt hash; '' without a password. */
  readonly passwordHash: string;
  readonly passwordVersion: string;
}

interface StoredKey {
  readonly id: string;
  readonly secret: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

export interface StoredWatching {
  readonly rules: readonly StoredRule[];
  readonly keys: readonly StoredKey[];
  /** Number of keys ever created: ids are never reused. */
  readonly keysMade: number;
  readonly serverSecret: string;
  readonly viewerReports: boolean;
}

const watchingDocument: DocumentType<StoredWatching> = {
  key: 'watching',
  schema: z.object({
    rules: z.array(
      z.object({
        pattern: z.string(),
        mode: z.enum(watchModes),
        passwordHash: z.string(),
        passwordVersion: z.string(),
      }),
    ),
    keys: z.array(z.object({ id: z.string(), secret: z.string(), createdAt: z.string() })),
    keysMade: z.number().int(),
    serverSecret: z.string(),
    viewerReports: z.boolean().default(true),
  }),
  empty: { rules: [], keys: [], keysMade: 0, serverSecret: '', viewerReports: true },
  secret: true,
};

/** Key size, bytes: 256 bits, the size of the signature. */
const secretBytes = 32;

export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

export async function holdWatching(store: Store): Promise<HeldDocument<StoredWatching>> {
  const held = await holdDocument(store, watchingDocument);
  if (held.current().serverSecret === '') await held.saveFirst({ ...held.current(), serverSecret: newSecret() });
  return held;
}
