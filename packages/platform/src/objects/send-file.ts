// Uploads one file, a large file in parts, and verifies that the object is complete. The caller stores the progress, so that a later
// process can continue.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Bucket, BucketError, contentOf, type ObjectFacts, UploadGone } from './bucket.ts';
import { type Part, partsOf } from './part-plan.ts';

/** Number of parallel parts of a file. Three parts fill a connection despite latency and take 24 MiB. */
const partsAtOnce = 3;

export interface SentPart {
  readonly etag: string;
  /** MD5 of the bytes, in hex. */
  readonly md5: string;
}

/** Stored progress of an upload, and functions that store more progress. */
export interface UploadMemory {
  readonly uploadId: string;
  readonly parts: ReadonlyMap<number, SentPart>;
  /** Deletes the old progress, then stores the new upload. */
  begin(uploadId: string): Promise<void>;
  keep(number: number, part: SentPart): Promise<void>;
}

interface FileToSend {
  readonly path: string;
  readonly sizeBytes: number;
  readonly key: string;
  readonly contentType: string;
  readonly partBytes: number;
}

export interface SendOptions {
  readonly bucket: Bucket;
  readonly file: FileToSend;
  readonly memory: UploadMemory;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { state: 'sending' | 'checking'; sentBytes: number }) => void;
}

/** Resolves with the object after size and content are verified. */
export async function sendFile(options: SendOptions): Promise<ObjectFacts> {
  const { file } = options;
  const handle = await open(file.path, 'r');
  try {
    const tag = file.sizeBytes <= file.partBytes ? await sendWhole(options, handle) : await sendParts(options, handle);
    options.onProgress({ state: 'checking', sentBytes: file.sizeBytes });
    return await prove(options, tag);
  } finally {
    await handle.close();
  }
}

/** @returns the ETag that the bucket should return, unless the bucket encrypts with its own key. */
async function sendWhole({ bucket, file, signal, onProgress }: SendOptions, handle: FileHandle): Promise<string> {
  const content = contentOf(await readPart(handle, { number: 1, start: 0, end: file.sizeBytes }));
  onProgress({ state: 'sending', sentBytes: 0 });
  await bucket.put(file.key, content, file.contentType, signal);
  return `"${content.md5.toString('hex')}"`;
}

async function sendParts(options: SendOptions, handle: FileHandle): Promise<string> {
  const { bucket, file, memory, signal } = options;
  const parts = partsOf(file.sizeBytes, file.partBytes);
  if (memory.uploadId === '') await memory.begin(await bucket.beginUpload(file.key, file.contentType, signal));
  const upload = { key: file.key, uploadId: memory.uploadId };
  const tag = () => tagOfParts(parts.map(({ number }) => memory.parts.get(number)?.md5 ?? ''));
  // All parts are stored, so a killed process may have completed the upload. Some servers respond to a second completion with an internal
  // error.
  const isSent = parts.every(({ number }) => memory.parts.has(number));
  if (isSent && (await bucket.head(file.key, signal))?.sizeBytes === file.sizeBytes) return tag();
  try {
    await sendMissing(options, handle, parts);
    const etags = parts.map(({ number }) => memory.parts.get(number)?.etag ?? '');
    options.onProgress({ state: 'checking', sentBytes: file.sizeBytes });
    await bucket.completeUpload(upload, etags, signal);
  } catch (error) {
    if (!(error instanceof UploadGone)) throw error;
    await memory.begin('');
    throw new BucketError('refused', `${error.message}: the upload restarts`, { cause: error });
  }
  return tag();
}

async function sendMissing(options: SendOptions, handle: FileHandle, parts: readonly Part[]): Promise<void> {
  const { bucket, file, memory, signal, onProgress } = options;
  const upload = { key: file.key, uploadId: memory.uploadId };
  const missing = parts.filter(({ number }) => !memory.parts.has(number));
  const sizeOf = (some: readonly Part[]) => some.reduce((sum, { start, end }) => sum + end - start, 0);
  let sentBytes = file.sizeBytes - sizeOf(missing);
  onProgress({ state: 'sending', sentBytes });
  const failing = new AbortController();
  const both = AbortSignal.any([signal, failing.signal]);
  const work = async () => {
    for (let part = missing.shift(); part && !both.aborted; part = missing.shift()) {
      const content = contentOf(await readPart(handle, part));
      const etag = await bucket.sendPart(upload, part.number, content, both);
      await memory.keep(part.number, { etag, md5: content.md5.toString('hex') });
      sentBytes += content.bytes.length;
      onProgress({ state: 'sending', sentBytes });
    }
  };
  const workers = Array.from({ length: partsAtOnce }, () =>
    work().catch((error) => {
      // Only the first failure is reported, because it causes the others.
      if (!failing.signal.aborted) failing.abort(error);
    }),
  );
  await Promise.all(workers);
  signal.throwIfAborted();
  failing.signal.throwIfAborted();
}

async function readPart(handle: FileHandle, { start, end }: Part): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) throw new Error('the file became shorter during the upload');
    filled += bytesRead;
  }
  return bytes;
}

/**
 * Verifies size and ETag. In a bucket without encryption the ETag is a digest of the content. With encryption, the object is read back and
 * compared with the file.
 */
async function prove({ bucket, file, signal }: SendOptions, tag: string): Promise<ObjectFacts> {
  const facts = await bucket.head(file.key, signal);
  if (!facts) throw new BucketError('damaged', `${file.key} is not in the bucket after the upload`);
  if (facts.sizeBytes !== file.sizeBytes) {
    const sizes = `${facts.sizeBytes} of ${file.sizeBytes} bytes`;
    throw new BucketError('damaged', `after the upload the bucket has ${sizes} of ${file.key}`);
  }
  if (facts.etag === tag) return facts;
  const { body } = await bucket.read(file.key, { start: 0, end: file.sizeBytes, etag: facts.etag }, signal);
  const there = await digestOf(body).catch((error) => {
    signal.throwIfAborted();
    throw new BucketError('unreachable', `cannot read ${file.key} back from the bucket: ${error.message}`, {
      cause: error,
    });
  });
  if (there !== (await digestOf(createReadStream(file.path, { signal }))))
    throw new BucketError('damaged', `the content of ${file.key} in the bucket differs from the file`);
  return facts;
}

async function digestOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of stream) hash.update(bytes);
  return hash.digest('hex');
}

/** S3 ETag of a multipart object: a digest of the digests of all parts, and the number of parts. */
function tagOfParts(md5s: readonly string[]): string {
  const { md5 } = contentOf(Buffer.from(md5s.join(''), 'hex'));
  return `"${md5.toString('hex')}-${md5s.length}"`;
}
