// Stored progress of uploads: enough for any later process to continue.
import { z } from 'zod';
import type { CollectionType } from '../store/store.ts';
import { bucketPlace } from './bucket.ts';

const transferFacts = z.object({
  place: bucketPlace,
  key: z.string(),
  /** Size of the file; if it changed, the upload starts again. */
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  partBytes: z.number(),
  /** Id of the upload; empty before it starts. */
  uploadId: z.string(),
  /** RFC 3339. */
  since: z.string(),
});
export type TransferFacts = z.infer<typeof transferFacts>;

/** Progress of each upload, by the uuid of the recording or media file. */
export const transferCollection: CollectionType<TransferFacts> = { name: 'object-transfers', schema: transferFacts };

const partFacts = z.object({ uploadId: z.string(), etag: z.string(), md5: z.string() });
export type PartFacts = z.infer<typeof partFacts>;

/** Uploaded parts by `{uuid}/{number}`: one row per part, so that a part of a long file costs no more than one of a short file. */
export const partCollection: CollectionType<PartFacts> = { name: 'object-parts', schema: partFacts };

const removalFacts = z.object({
  place: bucketPlace,
  key: z.string(),
  /** Id of an uncompleted upload; empty for none. */
  uploadId: z.string(),
  /** RFC 3339. */
  since: z.string(),
});
export type RemovalFacts = z.infer<typeof removalFacts>;

/** Deleted recordings whose objects must be deleted, by uuid. */
export const removalCollection: CollectionType<RemovalFacts> = { name: 'object-removals', schema: removalFacts };
