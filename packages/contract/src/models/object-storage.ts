// API models of object storage: settings without secrets, the upload queue, the result of a test.
import { z } from 'zod';
import { bucketProblemKinds, bucketTestSteps, transferStates } from '../values/object-storage.ts';

/** A failure of the bucket: kind, start, and time of the next attempt. */
export const bucketProblem = z.object({
  kind: z.enum(bucketProblemKinds),
  /** English, with the message of the bucket or the operating system. */
  words: z.string(),
  /** RFC 3339: time of the first of the consecutive failures. */
  since: z.string(),
  /** RFC 3339; empty during an attempt. */
  retryAt: z.string(),
});
export type BucketProblem = z.infer<typeof bucketProblem>;

const amount = z.object({ count: z.number().int(), bytes: z.number() });

export const objectStorageStatus = z.object({
  /** Queued and running uploads. */
  waiting: amount,
  /** Recordings with an object in a bucket. */
  stored: amount,
  /** Recordings without a copy on this server. */
  onlyThere: amount,
  /** Finished recordings on this server without an object in any bucket. */
  onlyHere: amount,
  /** Null without a problem. */
  problem: bucketProblem.nullable(),
  removals: z.object({
    /** Number of objects in the bucket whose recordings were deleted. */
    count: z.number().int(),
    problem: bucketProblem.nullable(),
  }),
});
export type ObjectStorageStatus = z.infer<typeof objectStorageStatus>;

/** A file in the upload queue. */
export const objectTransfer = z.object({
  /** Uuid of the recording. */
  uuid: z.string(),
  state: z.enum(transferStates),
  sentBytes: z.number(),
  sizeBytes: z.number(),
  /** RFC 3339: time since which the file has been queued or uploading. */
  since: z.string(),
  /** Null when nothing has failed. */
  problem: bucketProblem.nullable(),
});
export type ObjectTransfer = z.infer<typeof objectTransfer>;

/** Result of writing, reading back and deleting a small object. */
export const bucketTestResult = z.object({
  ok: z.boolean(),
  /** The step that failed; null on success. */
  failed: z.object({ step: z.enum(bucketTestSteps), kind: z.enum(bucketProblemKinds), words: z.string() }).nullable(),
  /** Total duration, milliseconds. */
  durationMs: z.number(),
});
export type BucketTestResult = z.infer<typeof bucketTestResult>;
