// The upload works with two independent S3 servers. fauxqs behaves like S3: its ETags are digests, and it can lose uploads. The ETags of
// s3rver have another form.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startFauxqs } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bucket, contentOf, UploadGone } from '../src/objects/bucket.ts';
import { tryBucket } from '../src/objects/bucket-trial.ts';
import { openS3Bucket } from '../src/objects/s3-bucket.ts';
import { type SentPart, sendFile, type UploadMemory } from '../src/objects/send-file.ts';
import { serverBucket, serverKeys, startBucketServer } from '../src/testing/bucket-server.ts';

const partBytes = 5 * 1024 ** 2;
const content = randomBytes(2 * partBytes + 77);
const key = 'live/直播 1/2026-01-02.mp4';
const { signal } = new AbortController();
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'srs-servers-'));
  path = join(folder, 'index.mp4');
  await writeFile(path, content);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function startS3rver() {
  const { endpoint, close } = await startBucketServer();
  return { endpoint, close, readsBack: true };
}

async function startFaux() {
  const server = await startFauxqs({ port: 0, logger: false });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const credentials = { accessKeyId: serverKeys.accessKey, secretAccessKey: serverKeys.secretKey };
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: serverBucket }));
  client.destroy();
  return { endpoint, close: () => server.stop(), readsBack: false };
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

describe.each([
  ['s3rver', startS3rver],
  ['fauxqs', startFaux],
])('%s', (name, start) => {
  let server: Awaited<ReturnType<typeof start>>;
  let bucket: Bucket;
  const place = () => ({ endpoint: server.endpoint, region: 'us-east-1', bucket: serverBucket, pathStyle: true });
  beforeAll(async () => {
    server = await start();
    bucket = await openS3Bucket(place(), serverKeys);
  });
  afterAll(async () => {
    bucket.close();
    await server.close();
  });

  it('passes the test of a bucket', async () => {
    const result = await tryBucket({ place: place(), keys: serverKeys, prefix: 'a/', openBucket: openS3Bucket });
    expect(result).toMatchObject({ ok: true, failed: null });
  });

  it('receives a file in parts, verifies it, and returns it by range and by link', async () => {
    let hasRead = false;
    const read: Bucket['read'] = (...range) => {
      hasRead = true;
      return bucket.read(...range);
    };
    const watched = Object.assign(Object.create(bucket) as Bucket, { read });
    const file = { path, sizeBytes: content.length, key, contentType: 'video/mp4', partBytes };
    const facts = await sendFile({
      ...{ bucket: watched, file, memory: createMemory(), signal },
      onProgress: () => undefined,
    });
    expect([facts.sizeBytes, hasRead]).toEqual([content.length, server.readsBack]);
    const { body } = await bucket.read(key, { start: 5, end: partBytes + 5, etag: facts.etag }, signal);
    expect(Buffer.concat(await body.toArray()).equals(content.subarray(5, partBytes + 5))).toBe(true);
    const link = await fetch(await bucket.link(key, { seconds: 60, contentType: 'video/mp4', saveAs: 'a.mp4' }));
    expect(Buffer.from(await link.arrayBuffer()).equals(content)).toBe(true);
    await bucket.remove(key, signal);
    expect(await bucket.head(key, signal)).toBeUndefined();
  });

  it('aborts an upload, also repeatedly', async () => {
    const upload = { key, uploadId: await bucket.beginUpload(key, 'video/mp4', signal) };
    await bucket.abortUpload(upload, signal);
    await bucket.abortUpload(upload, signal);
    // s3rver cannot abort uploads, and accepts parts of unknown uploads.
    if (name === 's3rver') return;
    const part = bucket.sendPart(upload, 1, contentOf(Buffer.from('x')), signal);
    await expect(part).rejects.toBeInstanceOf(UploadGone);
  });
});
