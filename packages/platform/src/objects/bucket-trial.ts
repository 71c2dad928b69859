// Tests a bucket: writes, reads and deletes a small object, which covers every permission that recordings need.
import { randomBytes } from 'node:crypto';
import type { BucketTestResult, BucketTestStep } from '@srs-stack/contract';
import { type Bucket, BucketError, type BucketKeys, type BucketPlace, contentOf, type OpenBucket } from './bucket.ts';
import { toBucketError } from './s3-errors.ts';

/** Timeout of the test, milliseconds. */
const trialTimeoutMs = 30_000;
/** Size of the object, bytes. */
const trialBytes = 1_024;

export interface TrialOptions {
  readonly place: BucketPlace;
  readonly keys: BucketKeys;
  readonly prefix: string;
  readonly openBucket: OpenBucket;
  readonly timeoutMs?: number;
}

export async function tryBucket(options: TrialOptions): Promise<BucketTestResult> {
  const { place, keys, prefix, openBucket, timeoutMs = trialTimeoutMs } = options;
  const startedAt = performance.now();
  const bucket = await openBucket(place, keys);
  const failed = await takeSteps(bucket, `${prefix}srs-stack-test-${randomBytes(6).toString('hex')}`, timeoutMs);
  bucket.close();
  return { ok: failed === null, failed, durationMs: Math.round(performance.now() - startedAt) };
}

async function takeSteps(bucket: Bucket, key: string, timeoutMs: number): Promise<BucketTestResult['failed']> {
  const signal = AbortSignal.timeout(timeoutMs);
  const content = randomBytes(trialBytes);
  let step: BucketTestStep = 'write';
  try {
    await bucket.put(key, contentOf(content), 'application/octet-stream', signal);
    step = 'read';
    await requireContent(bucket, key, content, signal);
    step = 'delete';
    await bucket.remove(key, signal);
    return null;
  } catch (error) {
    // Deletes the object after a failed read, if possible.
    if (step === 'read') await bucket.remove(key, AbortSignal.timeout(timeoutMs)).catch(() => undefined);
    const { kind, message } = signal.aborted
      ? new BucketError('slow', `the bucket did not respond within ${timeoutMs / 1000} s`)
      : toBucketError(error, `${step} ${key}`);
    return { step, kind, words: message };
  }
}

async function requireContent(bucket: Bucket, key: string, content: Buffer, signal: AbortSignal): Promise<void> {
  const facts = await bucket.head(key, signal);
  if (!facts) throw new BucketError('damaged', 'the test object does not exist after it was written');
  const { body } = await bucket.read(key, undefined, signal);
  const read = Buffer.concat(await body.toArray({ signal }));
  if (!read.equals(content))
    throw new BucketError('damaged', 'the content of the test object differs from what was written');
}
