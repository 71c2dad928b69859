// Tests the client with an S3 server behind a proxy that injects faults.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BucketServer, serverBucket, serverKeys, startBucketServer } from '../testing/bucket-server.ts';
import { type Bucket, type BucketKeys, contentOf } from './bucket.ts';
import { openS3Bucket } from './s3-bucket.ts';

let server: BucketServer;
const opened: Bucket[] = [];
const { signal } = new AbortController();

beforeEach(async () => {
  server = await startBucketServer();
});
afterEach(async () => {
  for (const bucket of opened.splice(0)) bucket.close();
  await server.close();
});

async function open(change: object = {}, keys: BucketKeys = serverKeys) {
  const place = { endpoint: server.endpoint, region: 'us-east-1', bucket: serverBucket, pathStyle: true, ...change };
  const bucket = await openS3Bucket(place, keys);
  opened.push(bucket);
  return bucket;
}

const bytes = contentOf(Buffer.from('0123456789'));
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    ({ kind, message }) => kind ?? message,
  );

describe('a bucket', () => {
  it('writes, lists, reads in ranges and deletes an object', async () => {
    const bucket = await open();
    expect(await bucket.head('a/b.mp4', signal)).toBeUndefined();
    const etag = await bucket.put('a/b.mp4', bytes, 'video/mp4', signal);
    expect(await bucket.head('a/b.mp4', signal)).toEqual({ sizeBytes: 10, etag });
    const part = await bucket.read('a/b.mp4', { start: 2, end: 5, etag }, signal);
    expect(Buffer.concat(await part.body.toArray()).toString()).toBe('234');
    const link = await bucket.link('a/b.mp4', { seconds: 60, contentType: 'video/mp4', saveAs: 'b.mp4' });
    expect(link).toContain('X-Amz-Expires=60');
    expect(link).not.toContain('x-amz-checksum-mode');
    const linked = await fetch(link);
    expect(await linked.text()).toBe('0123456789');
    expect(linked.headers.get('content-disposition')).toContain('b.mp4');
    await bucket.remove('a/b.mp4', signal);
    await bucket.remove('a/b.mp4', signal);
    expect(await bucket.head('a/b.mp4', signal)).toBeUndefined();
  });

  it('receives the digest of each part, and no AWS-only checksum', async () => {
    const bucket = await open();
    const upload = { key: 'x', uploadId: await bucket.beginUpload('x', 'video/mp4', signal) };
    const tags = [await bucket.sendPart(upload, 1, bytes, signal), await bucket.sendPart(upload, 2, bytes, signal)];
    await bucket.completeUpload(upload, tags, signal);
    expect((await bucket.head('x', signal))?.sizeBytes).toBe(20);
    const part = server.requests.find(({ what }) => what === 'part 1');
    expect(part?.headers['content-md5']).toBe('eB5eJF1ptWaXm4bijSPyxw==');
    expect(part?.headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/);
    const names = server.requests.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => /checksum|trailer|decoded/.test(name))).toEqual([]);
    await bucket.abortUpload(upload, signal);
  });

  it.each([
    [{ status: 403, code: 'AccessDenied' }, 'denied'],
    [{ status: 403, code: 'InvalidAccessKeyId' }, 'credentials'],
    [{ status: 403, code: 'RequestTimeTooSkewed' }, 'credentials'],
    [{ status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'eu-west-1' } }, 'region'],
    [{ status: 400, code: 'AuthorizationHeaderMalformed' }, 'region'],
    [{ status: 404, code: 'NoSuchBucket' }, 'bucket'],
    [{ status: 503, code: 'SlowDown' }, 'busy'],
    [{ status: 500, code: 'InternalError' }, 'busy'],
    [{ status: 507, code: 'XMinioStorageFull' }, 'full'],
    [{ status: 400, code: 'BadDigest' }, 'damaged'],
    [{ status: 400, code: 'EntityTooLarge' }, 'refused'],
    ['break', 'unreachable'],
  ] as const)('that responds with %o fails as %s', async (behaviour, kind) => {
    const bucket = await open();
    server.behave = () => behaviour;
    expect(await kindOf(bucket.put('x', bytes, 'video/mp4', signal))).toBe(kind);
    expect(server.requests).toHaveLength(1);
  });

  it('reports its region', async () => {
    const bucket = await open();
    server.behave = () => ({ status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'eu-west-1' } });
    await expect(bucket.put('x', bytes, 'video/mp4', signal)).rejects.toThrow('the bucket is in the region eu-west-1');
  });

  it('reports wrong keys, a closed port, and an unknown name', async () => {
    const wrong = await open({}, { ...serverKeys, accessKey: 'NOBODY' });
    expect(await kindOf(wrong.put('x', bytes, 'video/mp4', signal))).toBe('credentials');
    const closed = await open({ endpoint: 'http://127.0.0.1:9' });
    expect(await kindOf(closed.put('x', bytes, 'video/mp4', signal))).toBe('unreachable');
    const other = await open({ bucket: 'others' });
    expect(await kindOf(other.put('x', bytes, 'video/mp4', signal))).toBe('bucket');
    const plain = await open({ endpoint: server.endpoint.replace('http:', 'https:') });
    expect(await kindOf(plain.put('x', bytes, 'video/mp4', signal))).toMatch(/tls|unreachable/);
  });

  it('is refused at a link-local address, also in numeric form', async () => {
    for (const endpoint of ['http://169.254.169.254', 'http://2852039166', 'http://[::ffff:a9fe:a9fe]', 'ftp://s3'])
      await expect(open({ endpoint })).rejects.toThrow('this address is not allowed');
  });

  it('stops when aborted', async () => {
    const bucket = await open();
    server.behave = () => 'hang';
    const stop = new AbortController();
    const sent = bucket.put('x', bytes, 'video/mp4', stop.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
  });
});
