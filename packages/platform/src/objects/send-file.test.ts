// Sends a file to a small in-memory bucket. The bucket can encrypt, lose an upload, or store other content.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bucket, BucketError, UploadGone } from './bucket.ts';
import { type SentPart, sendFile, type UploadMemory } from './send-file.ts';

const content = randomBytes(35);
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'srs-send-'));
  path = join(folder, 'index.mp4');
  await writeFile(path, content);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();

class SmallBucket {
  readonly calls: string[] = [];
  readonly parts = new Map<number, Buffer>();
  object: Buffer | undefined;
  isEncrypted = false;
  isForgetful = false;

  readonly bucket = {
    put: async (_key, { bytes }) => {
      this.calls.push('put');
      this.object = Buffer.from(bytes);
      return this.tag();
    },
    head: async () => {
      this.calls.push('head');
      return this.object && { sizeBytes: this.object.length, etag: this.tag() };
    },
    read: async () => {
      this.calls.push('read');
      return { body: Readable.from([this.object ?? Buffer.alloc(0)]), sizeBytes: this.object?.length ?? 0 };
    },
    beginUpload: async () => {
      this.calls.push('begin');
      return 'upload';
    },
    sendPart: async (_upload, number, { bytes }) => {
      this.calls.push(`part ${number}`);
      if (this.isForgetful) throw new UploadGone('the upload is unknown to the bucket');
      this.parts.set(number, Buffer.from(bytes));
      return `"${md5(bytes).toString('hex')}"`;
    },
    completeUpload: async (_upload, etags) => {
      this.calls.push('complete');
      if (this.isForgetful) throw new UploadGone('the upload is unknown to the bucket');
      this.object = Buffer.concat(etags.map((_, index) => this.parts.get(index + 1) ?? Buffer.alloc(0)));
    },
  } satisfies Partial<Bucket> as unknown as Bucket;

  tag(): string {
    if (this.isEncrypted) return '"something-else"';
    if (this.parts.size === 0) return `"${md5(this.object ?? Buffer.alloc(0)).toString('hex')}"`;
    const digests = [...this.parts.keys()].sort((a, b) => a - b).map((number) => md5(this.parts.get(number) as Buffer));
    return `"${md5(Buffer.concat(digests)).toString('hex')}-${digests.length}"`;
  }
}

function createMemory(): UploadMemory {
  const parts = new Map<number, SentPart>();
  let uploadId = '';
  return {
    get uploadId() {
      return uploadId;
    },
    parts,
    async begin(id) {
      uploadId = id;
      parts.clear();
    },
    async keep(number, part) {
      parts.set(number, part);
    },
  };
}

let small: SmallBucket;
let memory: UploadMemory;
beforeEach(() => {
  small = new SmallBucket();
  memory = createMemory();
});

const send = (partBytes = 10) =>
  sendFile({
    ...{ bucket: small.bucket, memory, signal: new AbortController().signal, onProgress: () => undefined },
    file: { path, sizeBytes: content.length, key: 'x', contentType: 'video/mp4', partBytes },
  });

describe('a file', () => {
  it('is sent as one part or several, and verified by its tag', async () => {
    expect(await send(100)).toEqual({ sizeBytes: 35, etag: small.tag() });
    expect(small.calls).toEqual(['put', 'head']);
    small.calls.length = 0;
    expect((await send()).etag).toMatch(/^"[0-9a-f]{32}-4"$/);
    expect(small.calls.splice(1, 4).sort()).toEqual(['part 1', 'part 2', 'part 3', 'part 4']);
    expect(small.calls).toEqual(['begin', 'complete', 'head']);
    expect(small.object).toEqual(content);
  });

  it('in a bucket with other tags is verified by reading it back', async () => {
    small.isEncrypted = true;
    expect((await send()).etag).toBe('"something-else"');
    expect(small.calls.slice(-2)).toEqual(['head', 'read']);
  });

  it('whose object differs or is shorter is not verified', async () => {
    small.isEncrypted = true;
    const { completeUpload } = small.bucket;
    const damage = (change: (bytes: Buffer) => Buffer) => {
      small.bucket.completeUpload = async (...upload) => {
        await completeUpload(...upload);
        small.object = change(small.object as Buffer);
      };
    };
    damage((bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]));
    await expect(send()).rejects.toThrow('differs from the file');
    memory = createMemory();
    damage((bytes) => bytes.subarray(0, -1));
    await expect(send()).rejects.toThrow('34 of 35 bytes');
  });

  it('with uploaded parts sends only the others', async () => {
    await memory.begin('upload');
    for (const number of [1, 3]) {
      const bytes = content.subarray((number - 1) * 10, number * 10);
      small.parts.set(number, bytes);
      await memory.keep(number, { etag: `"${number}"`, md5: md5(bytes).toString('hex') });
    }
    await send();
    expect(small.calls).toEqual(['part 2', 'part 4', 'complete', 'head']);
    expect(small.object).toEqual(content);
  });

  it('starts again when the bucket has lost the upload', async () => {
    await memory.begin('upload');
    small.isForgetful = true;
    const failure = await send().catch((error) => error);
    expect([failure instanceof BucketError, failure.message]).toEqual([
      true,
      'the upload is unknown to the bucket: the upload restarts',
    ]);
    expect([memory.uploadId, memory.parts.size]).toEqual(['', 0]);
    small.isForgetful = false;
    await send();
    expect(small.object).toEqual(content);
  });
});
