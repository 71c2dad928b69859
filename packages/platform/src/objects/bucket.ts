// Interface of a bucket, independent of the S3 client. Every operation may be repeated.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BucketProblemKind } from '@srs-stack/contract';
import { z } from 'zod';

export const bucketPlace = z.object({
  endpoint: z.string(),
  region: z.string(),
  bucket: z.string(),
  pathStyle: z.boolean(),
});
/** Address of a bucket. */
export type BucketPlace = z.infer<typeof bucketPlace>;

export interface BucketKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

export const storedObject = z.object({
  place: bucketPlace,
  key: z.string(),
  sizeBytes: z.number(),
  /** ETag from the bucket, in quotes. Different content has a different ETag. */
  etag: z.string(),
  /** Time at which the object was verified, RFC 3339. */
  at: z.string(),
});
/** A verified copy of a file in a bucket. */
export type StoredObject = z.infer<typeof storedObject>;

/** An expected failure of a bucket. The English message includes the message from the bucket. */
export class BucketError extends Error {
  readonly kind: BucketProblemKind;
  constructor(kind: BucketProblemKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BucketError';
    this.kind = kind;
  }
}

/** The upload cannot continue: it was completed, aborted or cleaned up, or an uploaded part differs. */
export class UploadGone extends Error {}

export interface ObjectFacts {
  readonly sizeBytes: number;
  readonly etag: string;
}

interface ObjectRead {
  /** Fails when the connection breaks. The caller must read or destroy the body. */
  readonly body: Readable;
  readonly sizeBytes: number;
}

/** Bytes with their digest. The digest is computed only once, because it is as expensive as the signature. */
export interface Content {
  readonly bytes: Buffer;
  readonly md5: Buffer;
}

export function contentOf(bytes: Buffer): Content {
  return { bytes, md5: createHash('md5').update(bytes).digest() };
}

/** Methods reject with a BucketError, or with the reason of the signal; `sendPart` and `completeUpload` also with UploadGone. */
export interface Bucket {
  put(key: string, content: Content, contentType: string, signal: AbortSignal): Promise<string>;
  /** Size and ETag of an object; undefined for a missing object. */
  head(key: string, signal: AbortSignal): Promise<ObjectFacts | undefined>;
  /** Reads an object, or a range of the version with this ETag. A `viewer` may pause: no timeout after the response begins. */
  read(
    key: string,
    range: ReadRange | undefined,
    signal: AbortSignal,
    reader?: 'server' | 'viewer',
  ): Promise<ObjectRead>;
  /** Deletes an object. Succeeds for a missing object. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  beginUpload(key: string, contentType: string, signal: AbortSignal): Promise<string>;
  /** Returns the ETag of the part. */
  sendPart(upload: UploadName, number: number, content: Content, signal: AbortSignal): Promise<string>;
  completeUpload(upload: UploadName, etags: readonly string[], signal: AbortSignal): Promise<void>;
  /** Aborts an upload. Succeeds for a missing upload. */
  abortUpload(upload: UploadName, signal: AbortSignal): Promise<void>;
  /** A link that gives anyone access to the object for a limited time. */
  link(key: string, options: LinkOptions): Promise<string>;
  close(): void;
}

interface UploadName {
  readonly key: string;
  readonly uploadId: string;
}

export interface ReadRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly etag: string;
}

interface LinkOptions {
  readonly seconds: number;
  readonly contentType: string;
  /** ASCII file name under which a browser saves the object. */
  readonly saveAs: string | undefined;
}

export type OpenBucket = (place: BucketPlace, keys: BucketKeys) => Promise<Bucket>;
