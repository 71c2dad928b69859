// The id of this installation, made once; it tells servers apart where several share a store.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';

const nodeDocument: DocumentType<string> = { key: 'node-id', schema: z.string(), empty: '' };

export async function openNodeId(store: Store): Promise<string> {
  const stored = await store.get(nodeDocument);
  if (stored) return stored;
  const made = randomUUID();
  await store.set(nodeDocument, made);
  return made;
}
