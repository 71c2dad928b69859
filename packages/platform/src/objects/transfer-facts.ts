// Stored progress of uploads, with which a later process can continue.
import { z } from 'zod';
import type { CollectionType } from '../store/store.ts';
import { bucketPlace } from './bucket.ts';

const transferFacts = z.object({
  place: bucketPlace,
  key: z.string(),
  /** Size of the file. After a change, the upload starts again. */
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  partBytes: z.number(),
  /** Id of the upload; empty before the upload starts. */
  uploadId: z.string(),
  /** RFC 3339. */
  since: z.string(),
});
export type TransferFacts = z.infer<typeof transferFacts>;

/** Progress of each upload, keyed by the uuid of the recording or media file. */
export const transferCollection: CollectionType<TransferFacts> = { name: 'object-transfers', schema: transferFacts };

const partFacts = z.object({ uploadId: z.string(), etag: z.string(), md5: z.string() });
export type PartFacts = z.infer<typeof partFacts>;

/** Uploaded parts, keyed by `{uuid}/{number}`. One row per part keeps each write small, even for a long file. */
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

/** Objects of deleted recordings and media files, which must still be deleted. Keyed by the uuid of the recording or file. */
export const removalCollection: CollectionType<RemovalFacts> = { name: 'object-removals', schema: removalFacts };
