// Stored state of the upload of one recording. Encrypted, because an upload session contains keys.
import { cloudProblemKinds, remuxTask } from '@srs-stack/contract';
import { z } from 'zod';
import type { CollectionType } from '../../store/store.ts';

const transferFacts = z.object({
  bucket: z.string(),
  region: z.string(),
  uploaded: z.number(),
  problemKind: z.enum(cloudProblemKinds).nullable(),
  problem: z.string(),
  problemCode: z.string().optional(),
  retryAt: z.string(),
  /** DVR: URL of the playlist in the bucket. */
  url: z.string(),
  session: z
    .object({
      key: z.string(),
      bucket: z.string(),
      region: z.string(),
      playlistKey: z.string(),
      credentials: z.object({ secretId: z.string(), secretKey: z.string(), token: z.string().optional() }),
      expiresAtMs: z.number(),
    })
    .optional(),
  applicationId: z.number().optional(),
  /** RFC 3339. Set while the result of a sent commit is unknown. */
  commitBegunAt: z.string().optional(),
  fileId: z.string(),
  mediaUrl: z.string(),
  taskId: z.string(),
  task: remuxTask.nullable(),
});
export type TransferFacts = z.infer<typeof transferFacts>;

export const newTransfer: TransferFacts = {
  bucket: '',
  region: '',
  uploaded: 0,
  problemKind: null,
  problem: '',
  retryAt: '',
  url: '',
  fileId: '',
  mediaUrl: '',
  taskId: '',
  task: null,
};

export function transferCollection(kind: 'dvr' | 'vod'): CollectionType<TransferFacts> {
  return { name: `${kind}-transfers`, schema: transferFacts, secret: true };
}

export const noProblem = { problemKind: null, problem: '', problemCode: '', retryAt: '' } as const;
