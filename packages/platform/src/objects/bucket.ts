// A bucket as this room sees it, whatever speaks to it: small steps, each of which may be repeated.
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
/** Where a bucket is. */
export type BucketPlace = z.infer<typeof bucketPlace>;

export interface BucketKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

export const storedObject = z.object({
  place: bucketPlace,
  key: z.string(),
  sizeBytes: z.number(),
  /** As the bucket gives it, with its quotes; any other content has another one. */
  etag: z.string(),
  /** RFC 3339: when it was proven to be whole. */
  at: z.string(),
});
/** A file that a bucket has. */
export type StoredObject = z.infer<typeof storedObject>;

/** An expected failure of a bucket; the message is in English, with the bucket's own words. */
export class BucketError extends Error {
  readonly kind: BucketProblemKind;
  constructor(kind: BucketProblemKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BucketError';
    this.kind = kind;
  }
}

/** The bucket does not know the upload (any more): it was completed, aborted, or cleaned up. */
export class UploadGone extends Error {}

export interface ObjectFacts {
  readonly sizeBytes: number;
  readonly etag: string;
}

interface ObjectRead {
  /** Ends early with an error when the connection breaks. Whoever has it reads or destroys it. */
  readonly body: Readable;
  readonly sizeBytes: number;
}

/** Bytes with their digest, which is computed once: it costs as much as the signature. */
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
  /** Undefined when there is no such object. */
  head(key: string, signal: AbortSignal): Promise<ObjectFacts | undefined>;
  /** Only the version with the tag, where a range names one. A viewer may pause for as long as it likes. */
  read(
    key: string,
    range: ReadRange | undefined,
    signal: AbortSignal,
    reader?: 'server' | 'viewer',
  ): Promise<ObjectRead>;
  /** Harmless when there is none. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  beginUpload(key: string, contentType: string, signal: AbortSignal): Promise<string>;
  /** Answers the tag of the part. Rejects with UploadGone, too. */
  sendPart(upload: UploadName, number: number, content: Content, signal: AbortSignal): Promise<string>;
  /** Rejects with UploadGone, too. */
  completeUpload(upload: UploadName, etags: readonly string[], signal: AbortSignal): Promise<void>;
  /** Harmless when there is none. */
  abortUpload(upload: UploadName, signal: AbortSignal): Promise<void>;
  /** A link that anybody can read the object with for so long. */
  link(key: string, options: LinkOptions): Promise<string>;
  /** Ends its connections. */
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
  /** Makes a browser save it under this name; plain characters. */
  readonly saveAs: string | undefined;
}

export type OpenBucket = (place: BucketPlace, keys: BucketKeys) => Promise<Bucket>;
