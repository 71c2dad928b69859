// Interface of a bucket, independent of the S3 client: small steps that may be repeated.
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
  /** ETag as returned by the bucket, with its quotes; different content has a different ETag. */
  etag: z.string(),
  /** RFC 3339: time when the object was verified to be complete. */
  at: z.string(),
});
/** A file with a verified copy in a bucket. */
export type StoredObject = z.infer<typeof storedObject>;

/** An expected failure of a bucket; its English message includes the message of the bucket. */
export class BucketError extends Error {
  readonly kind: BucketProblemKind;
  constructor(kind: BucketProblemKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BucketError';
    this.kind = kind;
  }
}

/** The bucket does not know the upload: it was completed, aborted, or cleaned up. */
export class UploadGone extends Error {}

export interface ObjectFacts {
  readonly sizeBytes: number;
  readonly etag: string;
}

interface ObjectRead {
  /** Fails when the connection breaks. The caller must read or destroy it. */
  readonly body: Readable;
  readonly sizeBytes: number;
}

/** Bytes and their digest, which is computed once because it is as expensive as the signature. */
export interface Content {
  readonly bytes: Buffer;
  readonly md5: Buffer;
}

export function contentOf(bytes: Buffer): Content {
  return { bytes, md5: createHash('md5').update(bytes).digest() };
}

/** Every method rejects with a BucketError, or with the reason of its signal. */
export interface Bucket {
  put(key: string, content: Content, contentType: string, signal: AbortSignal): Promise<string>;
  /** Size and ETag of an object; undefined when it does not exist. */
  head(key: string, signal: AbortSignal): Promise<ObjectFacts | undefined>;
  /** Reads an object; if a range has an ETag, only that version. Has no timeout, because viewers may pause. */
  read(
    key: string,
    range: ReadRange | undefined,
    signal: AbortSignal,
    reader?: 'server' | 'viewer',
  ): Promise<ObjectRead>;
  /** Deletes an object; succeeds if it does not exist. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  beginUpload(key: string, contentType: string, signal: AbortSignal): Promise<string>;
  /** Returns the tag of the part. Also rejects with UploadGone. */
  sendPart(upload: UploadName, number: number, content: Content, signal: AbortSignal): Promise<string>;
  /** Completes an upload. Also rejects with UploadGone. */
  completeUpload(upload: UploadName, etags: readonly string[], signal: AbortSignal): Promise<void>;
  /** Aborts an upload; succeeds if it does not exist. */
  abortUpload(upload: UploadName, signal: AbortSignal): Promise<void>;
  /** A link that gives anyone access to the object for a limited time. */
  link(key: string, options: LinkOptions): Promise<string>;
  /** Closes its connections. */
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
  /** Makes a browser save the object under this name; ASCII only. */
  readonly saveAs: string | undefined;
}

export type OpenBucket = (place: BucketPlace, keys: BucketKeys) => Promise<Bucket>;
