// Object storage as calls and the console see it: the settings without their secrets, what waits, what a test found.
import { z } from 'zod';
import { bucketProblemKinds, bucketTestSteps, transferStates } from '../values/object-storage.ts';

/** Why the bucket does not do what it should, since when, and when it is tried again. */
export const bucketProblem = z.object({
  kind: z.enum(bucketProblemKinds),
  /** In English, with the words of the bucket or the system. */
  words: z.string(),
  /** RFC 3339: of the first failure in a row. */
  since: z.string(),
  /** RFC 3339; empty while it is being tried. */
  retryAt: z.string(),
});
export type BucketProblem = z.infer<typeof bucketProblem>;

const amount = z.object({ count: z.number().int(), bytes: z.number() });

export const objectStorageStatus = z.object({
  /** On their way, those under way among them. */
  waiting: amount,
  /** Recordings with an object in a bucket. */
  stored: amount,
  /** Of these, without a copy on this server. */
  onlyThere: amount,
  /** Finished recordings on this server that no bucket has. */
  onlyHere: amount,
  /** Null while all is well. */
  problem: bucketProblem.nullable(),
  removals: z.object({
    /** Objects of deleted recordings that the bucket still has. */
    count: z.number().int(),
    problem: bucketProblem.nullable(),
  }),
});
export type ObjectStorageStatus = z.infer<typeof objectStorageStatus>;

/** A file on its way to the bucket. */
export const objectTransfer = z.object({
  /** Of the recording. */
  uuid: z.string(),
  state: z.enum(transferStates),
  sentBytes: z.number(),
  sizeBytes: z.number(),
  /** RFC 3339: since when it waits or is on its way. */
  since: z.string(),
  /** Null while nothing has failed. */
  problem: bucketProblem.nullable(),
});
export type ObjectTransfer = z.infer<typeof objectTransfer>;

/** What writing, reading back and deleting a small object found. */
export const bucketTestResult = z.object({
  ok: z.boolean(),
  /** The step that failed; null when all went well. */
  failed: z.object({ step: z.enum(bucketTestSteps), kind: z.enum(bucketProblemKinds), words: z.string() }).nullable(),
  /** Milliseconds in all. */
  durationMs: z.number(),
});
export type BucketTestResult = z.infer<typeof bucketTestResult>;
