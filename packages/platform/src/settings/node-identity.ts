// The id of this installation, generated once. Nodes that share a store differ by this id.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { holdDocument } from '../store/held-document.ts';
import type { DocumentType, Store } from '../store/store.ts';

const nodeDocument: DocumentType<string> = { key: 'node-id', schema: z.string(), empty: '' };

export async function openNodeId(store: Store): Promise<string> {
  const held = await holdDocument(store, nodeDocument);
  if (!held.current()) await held.saveFirst(randomUUID());
  return held.current();
}
