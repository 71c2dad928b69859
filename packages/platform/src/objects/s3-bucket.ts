// A bucket of any S3 service. The AWS client is loaded when the first bucket is opened (docs/decisions/object-storage.md).
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { guardedLookup } from '../network/guarded-lookup.ts';
import { type Bucket, BucketError, type BucketKeys, type BucketPlace, type Content, UploadGone } from './bucket.ts';
import { requireUsablePlace } from './place-rule.ts';
import { nameOf, toBucketError } from './s3-errors.ts';

/** Connection timeout, milliseconds. */
const connectTimeoutMs = 10_000;
/** Timeout of a silent connection, milliseconds. Slow networks send at least once a second. */
const idleTimeoutMs = 60_000;
/** Timeout until the response to a read begins, milliseconds. */
const answerTimeoutMs = 15_000;
/** Maximum number of connections of each client of a bucket: one client for viewers, one for everything else. */
const maxConnections = 100;

/** HTTP status codes of servers that do not support AbortMultipartUpload. */
const cannotAbort = [405, 501];

type Client = typeof import('@aws-sdk/client-s3');

/** Throws `addressRefused` for a forbidden endpoint. */
export async function openS3Bucket(place: BucketPlace, keys: BucketKeys): Promise<Bucket> {
  requireUsablePlace(place);
  const library = await import('@aws-sdk/client-s3');
  return new S3Bucket(library, place, keys);
}

class S3Bucket implements Bucket {
  readonly #library: Client;
  readonly #name: string;
  readonly #client: S3Client;
  /** Client without idle timeout, because viewers may pause. */
  readonly #viewers: S3Client;

  constructor(library: Client, place: BucketPlace, keys: BucketKeys) {
    this.#library = library;
    this.#name = place.bucket;
    this.#client = openClient(library, place, keys, idleTimeoutMs);
    this.#viewers = openClient(library, place, keys, 0);
  }

  put: Bucket['put'] = async (key, content, ContentType, abortSignal) => {
    const command = new this.#library.PutObjectCommand({ ...this.#at(key), ContentType, ...bodyOf(content) });
    const { ETag } = await attempt(this.#client.send(command, { abortSignal }), `write ${key}`, abortSignal);
    return required(ETag, 'a tag');
  };

  head: Bucket['head'] = async (key, abortSignal) => {
    const command = new this.#library.HeadObjectCommand(this.#at(key));
    const found = this.#client.send(command, { abortSignal }).catch((error) => {
      if (isMissingObject(error)) return undefined;
      throw error;
    });
    const facts = await attempt(found, `read the metadata of ${key}`, abortSignal);
    return facts && { sizeBytes: facts.ContentLength ?? 0, etag: required(facts.ETag, 'a tag') };
  };

  read: Bucket['read'] = async (key, range, signal, reader = 'server') => {
    const part = range && { Range: `bytes=${range.start}-${range.end - 1}`, IfMatch: range.etag };
    const command = new this.#library.GetObjectCommand({ ...this.#at(key), ...part });
    const silent = new AbortController();
    const abortSignal = AbortSignal.any([signal, silent.signal]);
    const failure = new BucketError(
      'slow',
      `the bucket did not respond within ${answerTimeoutMs / 1000} s to the request for ${key}`,
    );
    const timer = setTimeout(() => silent.abort(failure), answerTimeoutMs);
    const client = reader === 'viewer' ? this.#viewers : this.#client;
    const sending = client.send(command, { abortSignal }).finally(() => clearTimeout(timer));
    const response = await attempt(sending, `read ${key}`, abortSignal);
    return { body: required(response.Body, 'content') as Readable, sizeBytes: response.ContentLength ?? 0 };
  };

  remove: Bucket['remove'] = async (key, abortSignal) => {
    const command = new this.#library.DeleteObjectCommand(this.#at(key));
    const done = this.#client.send(command, { abortSignal }).catch((error) => {
      if (!isMissingObject(error)) throw error;
    });
    await attempt(done, `delete ${key}`, abortSignal);
  };

  beginUpload: Bucket['beginUpload'] = async (key, ContentType, abortSignal) => {
    const command = new this.#library.CreateMultipartUploadCommand({ ...this.#at(key), ContentType });
    const { UploadId } = await attempt(
      this.#client.send(command, { abortSignal }),
      `begin the upload of ${key}`,
      abortSignal,
    );
    return required(UploadId, 'an upload id');
  };

  sendPart: Bucket['sendPart'] = async ({ key, uploadId: UploadId }, PartNumber, content, abortSignal) => {
    const command = new this.#library.UploadPartCommand({
      ...{ ...this.#at(key), UploadId, PartNumber },
      ...bodyOf(content),
    });
    const sent = goneAsSuch(this.#client.send(command, { abortSignal }));
    const { ETag } = await attempt(sent, `upload part ${PartNumber} of ${key}`, abortSignal);
    return required(ETag, 'a tag');
  };

  completeUpload: Bucket['completeUpload'] = async ({ key, uploadId: UploadId }, etags, abortSignal) => {
    const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
    const command = new this.#library.CompleteMultipartUploadCommand({
      ...{ ...this.#at(key), UploadId },
      MultipartUpload: { Parts },
    });
    const sent = goneAsSuch(this.#client.send(command, { abortSignal }));
    await attempt(sent, `complete the upload of ${key}`, abortSignal);
  };

  abortUpload: Bucket['abortUpload'] = async ({ key, uploadId: UploadId }, abortSignal) => {
    const command = new this.#library.AbortMultipartUploadCommand({ ...this.#at(key), UploadId });
    const done = this.#client.send(command, { abortSignal }).catch((error) => {
      // A server without AbortMultipartUpload cleans up uploads itself, or never started this upload.
      if (!isGone(error) && !cannotAbort.includes(statusOf(error) ?? 0)) throw error;
    });
    await attempt(done, `abort the upload of ${key}`, abortSignal);
  };

  link: Bucket['link'] = async (key, { seconds, contentType, saveAs }) => {
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const command = new this.#library.GetObjectCommand({
      ...this.#at(key),
      ResponseContentType: contentType,
      ...(saveAs && { ResponseContentDisposition: `attachment; filename="${saveAs}"` }),
    });
    return getSignedUrl(this.#client as never, command as never, { expiresIn: seconds });
  };

  close(): void {
    this.#client.destroy();
    this.#viewers.destroy();
  }

  #at(Key: string) {
    return { Bucket: this.#name, Key };
  }
}

function openClient(library: Client, place: BucketPlace, keys: BucketKeys, socketTimeout: number): S3Client {
  // Checks the address for each connection: a DNS record may change.
  const agent = { keepAlive: true, maxSockets: maxConnections, lookup: guardedLookup };
  return new library.S3Client({
    endpoint: place.endpoint,
    region: place.region,
    forcePathStyle: place.pathStyle,
    credentials: { accessKeyId: keys.accessKey, secretAccessKey: keys.secretKey },
    // No retries here: the upload queue retries and reports.
    maxAttempts: 1,
    // Many servers refuse AWS checksums in trailers and headers, but accept Content-MD5 and the signed SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

/** Includes a digest, with which the bucket verifies the bytes. */
function bodyOf({ bytes, md5 }: Content): { Body: Buffer; ContentMD5: string } {
  return { Body: bytes, ContentMD5: md5.toString('base64') };
}

async function attempt<T>(response: Promise<T>, what: string, signal: AbortSignal): Promise<T> {
  try {
    return await response;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof UploadGone ? error : toBucketError(error, what);
  }
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new BucketError('refused', `the response of the bucket does not contain ${what}`);
  return value;
}

async function goneAsSuch<T>(response: Promise<T>): Promise<T> {
  return response.catch((error) => {
    throw isGone(error) ? new UploadGone('the upload is unknown to the bucket', { cause: error }) : error;
  });
}

/** Whether the upload cannot continue: the bucket does not know the upload, or a part differs (`InvalidPart`). */
function isGone(error: unknown): boolean {
  return ['NoSuchUpload', 'InvalidPart', 'InvalidPartOrder'].includes(nameOf(error as Error));
}

/** Whether the object is missing. A missing bucket has another error name, except in a HEAD response, which has no body. */
function isMissingObject(error: unknown): boolean {
  return ['NotFound', 'NoSuchKey'].includes(nameOf(error as Error));
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
