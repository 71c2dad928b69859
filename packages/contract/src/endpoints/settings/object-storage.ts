// Ours: an S3 bucket for finished recordings, of any provider.
import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import {
  maxBucketKeyLength,
  maxBucketNameLength,
  maxBucketPrefixLength,
  maxBucketRegionLength,
  maxTargetUrlLength,
} from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { bucketTestResult, objectStorageStatus, objectTransfer } from '../../models/object-storage.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';
import { deliveryChoices, localCopyChoices } from '../../values/object-storage.ts';

const tag = 'Object storage';
const token = z.string().optional();

/** Where the bucket is and how it is spoken to. */
const place = z.object({
  /** `https://s3.example.com`. */
  endpoint: z.string().trim().max(maxTargetUrlLength).default(''),
  region: z.string().trim().max(maxBucketRegionLength).default(''),
  bucket: z.string().trim().max(maxBucketNameLength).default(''),
  /** The bucket in the path of the URL instead of its host name. */
  pathStyle: z.boolean().default(true),
  /** Begins every key. */
  prefix: z.string().trim().max(maxBucketPrefixLength).default(''),
});

/** Empty or left out: those that are kept already. */
const keys = z.object({
  accessKey: z.string().trim().max(maxBucketKeyLength).default(''),
  secretKey: z.string().trim().max(maxBucketKeyLength).default(''),
});

const choices = z.object({
  /** Whether finished recordings are sent. */
  on: z.boolean().default(false),
  local: z.enum(localCopyChoices).default('keep'),
  delivery: z.enum(deliveryChoices).default('auto'),
});

export const queryObjectStorage = defineEndpoint({
  ...paths.queryObjectStorage,
  tag,
  summary: 'The bucket for finished recordings, without its secret key, and what is in it or waits for it.',
  request: emptyRequest,
  response: z.object({
    ...choices.shape,
    ...place.shape,
    /** First and last four characters; empty while there is none. */
    accessKey: z.string(),
    /** Whether a secret key is kept. */
    hasSecretKey: z.boolean(),
    /** What `auto` means for this endpoint. */
    delivers: z.enum(['server', 'direct']),
    status: objectStorageStatus,
    revision: settingsRevision,
  }),
});

export const updateObjectStorage = defineEndpoint({
  ...paths.updateObjectStorage,
  tag,
  summary:
    'Replaces the settings of the bucket; keys that are left out stay. Finished recordings are sent from then on.',
  request: z.object({ token, ...choices.shape, ...place.shape, ...keys.shape, revision: expectedRevision }),
  response: nullData,
});

export const testObjectStorage = defineEndpoint({
  ...paths.testObjectStorage,
  tag,
  summary: 'Writes, reads back and deletes a small object, and tells which step failed and why. Nothing is kept.',
  request: z.object({ token, ...place.shape, ...keys.shape }),
  response: bucketTestResult,
});

export const queryObjectTransfers = defineEndpoint({
  ...paths.queryObjectTransfers,
  tag,
  summary: 'Files on their way to the bucket, in the order they are sent, with what they wait for; at most 500.',
  request: emptyRequest,
  response: z.array(objectTransfer),
});

export const retryObjectStorage = defineEndpoint({
  ...paths.retryObjectStorage,
  tag,
  summary: 'Tries now what waits after a failure, or forgets the objects of deleted recordings that cannot be deleted.',
  request: z.object({ token, forgetRemovals: z.boolean().default(false) }),
  response: nullData,
});
