// The store's row of an uploaded file, shared by all nodes: which node has the file, and the copy in a bucket.
import { z } from 'zod';
import { storedObject } from '../objects/bucket.ts';
import type { CollectionType } from '../store/store.ts';

const storedFile = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  /** `upload/{uuid}.{ext}` for an unused file, `vlive/{uuid}.{ext}` for a used file. */
  target: z.string(),
  type: z.enum(['upload', 'file']),
  /** RFC 3339. */
  addedAt: z.string(),
  /** Id and name of the node whose data folder contains the file; absent in rows of earlier releases. */
  node: z.string().optional(),
  nodeName: z.string().optional(),
  /** Copy of the file in a bucket; absent until it is verified. */
  object: storedObject.optional(),
  /** SHA-256 of the uploaded copy, in hex. */
  sha256: z.string().optional(),
});
export type StoredFile = z.infer<typeof storedFile>;

/** Uploaded files, keyed by uuid. */
export const storedFiles: CollectionType<StoredFile> = { name: 'media-files', schema: storedFile };

/** The nodes that share the table. */
export interface FileNodes {
  readonly self: { readonly id: string; readonly name: string };
  readonly isShared: boolean;
  list(): readonly { readonly id: string; readonly name: string; readonly state: string }[];
}
