// What the store keeps of an uploaded file, for all nodes: which of them has it, and what a bucket has of it.
import { z } from 'zod';
import { storedObject } from '../objects/bucket.ts';
import type { CollectionType } from '../store/store.ts';

const storedFile = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  /** `upload/{uuid}.{ext}` until it was used, then `vlive/{uuid}.{ext}`. */
  target: z.string(),
  type: z.enum(['upload', 'file']),
  /** RFC 3339. */
  addedAt: z.string(),
  /** Whose data folder has it, and what that node was called; rows of earlier releases name none. */
  node: z.string().optional(),
  nodeName: z.string().optional(),
  /** Its copy in a bucket; none while it was not proven to be there. */
  object: storedObject.optional(),
  /** SHA-256 of what was sent there, in hex. */
  sha256: z.string().optional(),
});
export type StoredFile = z.infer<typeof storedFile>;

/** By uuid. */
export const storedFiles: CollectionType<StoredFile> = { name: 'media-files', schema: storedFile };

/** The nodes that share the table. */
export interface FileNodes {
  readonly self: { readonly id: string; readonly name: string };
  /** False: this server is the only one. */
  readonly isShared: boolean;
  list(): readonly { readonly id: string; readonly name: string; readonly state: string }[];
}
