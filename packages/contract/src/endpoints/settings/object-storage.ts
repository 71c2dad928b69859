// Setting of the S3 bucket for finished recordings.
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
import { settingCalls } from '../../models/setting.ts';
import { paths } from '../../paths.ts';
import { deliveryChoices, localCopyChoices } from '../../values/object-storage.ts';

const tag = 'Object storage';
const token = z.string().optional();

const place = z.object({
  /** `https://s3.example.com`. */
  endpoint: z.string().trim().max(maxTargetUrlLength).default(''),
  region: z.string().trim().max(maxBucketRegionLength).default(''),
  bucket: z.string().trim().max(maxBucketNameLength).default(''),
  /** Path-style URLs contain the bucket in the path instead of the host name. */
  pathStyle: z.boolean().default(true),
  prefix: z.string().trim().max(maxBucketPrefixLength).default(''),
});

/** If empty or absent, the stored keys are kept. */
const keys = z.object({
  accessKey: z.string().trim().max(maxBucketKeyLength).default(''),
  secretKey: z.string().trim().max(maxBucketKeyLength).default(''),
});

const choices = z.object({
  on: z.boolean().default(false),
  local: z.enum(localCopyChoices).default('keep'),
  delivery: z.enum(deliveryChoices).default('auto'),
});

export const { query: queryObjectStorage, update: updateObjectStorage } = settingCalls({
  tag,
  query: {
    ...paths.queryObjectStorage,
    summary:
      'Returns the bucket settings without the secret key, and what is stored in the bucket or waits for upload.',
  },
  update: {
    ...paths.updateObjectStorage,
    summary:
      'Replaces the bucket settings; absent keys stay unchanged. Recordings that finish afterwards are uploaded.',
  },
  shown: {
    ...choices.shape,
    ...place.shape,
    /** First and last four characters of the access key; a short key is masked completely. '' if unset. */
    accessKey: z.string(),
    hasSecretKey: z.boolean(),
    /** Delivery that `auto` selects for this endpoint. */
    delivers: z.enum(['server', 'direct']),
    status: objectStorageStatus,
  },
  sent: { ...choices.shape, ...place.shape, ...keys.shape },
});

export const testObjectStorage = defineEndpoint({
  ...paths.testObjectStorage,
  tag,
  summary: 'Writes, reads back and deletes a small object, and returns which step failed and why. Saves nothing.',
  request: z.object({ token, ...place.shape, ...keys.shape }),
  response: bucketTestResult,
});

export const queryObjectTransfers = defineEndpoint({
  ...paths.queryObjectTransfers,
  tag,
  summary: 'Lists queued uploads in order, at most 500, with what each waits for.',
  request: emptyRequest,
  response: z.array(objectTransfer),
});

export const retryObjectStorage = defineEndpoint({
  ...paths.retryObjectStorage,
  tag,
  summary:
    'Retries failed uploads and deletions now. With `forgetRemovals: true`, leaves the objects of deleted recordings in the bucket instead.',
  request: z.object({ token, forgetRemovals: z.boolean().default(false) }),
  response: nullData,
});
