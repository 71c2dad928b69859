// State of object storage: stored amounts, upload queue, test result.
import { z } from 'zod';
import { bucketProblemKinds, bucketTestSteps, transferStates } from '../values/object-storage.ts';

/** A bucket failure with its start and the time of the next attempt. */
export const bucketProblem = z.object({
  kind: z.enum(bucketProblemKinds),
  /** English message of the bucket or the operating system. */
  words: z.string(),
  /** Time of the first consecutive failure, RFC 3339. */
  since: z.string(),
  /** Time of the next attempt, RFC 3339; '' during an attempt. */
  retryAt: z.string(),
});
export type BucketProblem = z.infer<typeof bucketProblem>;

const amount = z.object({ count: z.number().int(), bytes: z.number() });

export const objectStorageStatus = z.object({
  waiting: amount,
  /** Recordings with an object in a bucket. */
  stored: amount,
  /** Recordings without a copy on this server. */
  onlyThere: amount,
  /** Finished recordings on this server without an object in any bucket. */
  onlyHere: amount,
  problem: bucketProblem.nullable(),
  removals: z.object({
    /** Number of objects that wait for deletion, because their recordings were deleted. */
    count: z.number().int(),
    problem: bucketProblem.nullable(),
  }),
});
export type ObjectStorageStatus = z.infer<typeof objectStorageStatus>;

/** A file in the upload queue. */
export const objectTransfer = z.object({
  uuid: z.string(),
  state: z.enum(transferStates),
  sentBytes: z.number(),
  sizeBytes: z.number(),
  /** Time at which the file was queued, RFC 3339. */
  since: z.string(),
  problem: bucketProblem.nullable(),
});
export type ObjectTransfer = z.infer<typeof objectTransfer>;

/** Result of writing, reading and deleting a small object. */
export const bucketTestResult = z.object({
  ok: z.boolean(),
  /** The step that failed; null on success. */
  failed: z.object({ step: z.enum(bucketTestSteps), kind: z.enum(bucketProblemKinds), words: z.string() }).nullable(),
  durationMs: z.number(),
});
export type BucketTestResult = z.infer<typeof bucketTestResult>;
