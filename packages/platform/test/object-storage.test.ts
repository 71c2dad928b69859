// Recordings in a bucket, through calls and links: uploads, their reported state, and downloads.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordLinkPrefix } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { toRow } from '../src/recording/record-facts.ts';
import { openRecordFolder } from '../src/recording/record-folder.ts';
import { takeInventory } from '../src/recording/record-inventory.ts';
import { type BucketServer, serverBucket, serverKeys, startBucketServer } from '../src/testing/bucket-server.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let clips: string;
let platform: TestPlatform;
let bucket: BucketServer;
let sent = 0;

beforeAll(async () => {
  clips = await mkdtemp(join(tmpdir(), 'srs-clips-'));
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=160x90:rate=25:duration=4',
    '-map',
    '0:v',
    '-c:v',
    'libx264',
    '-g',
    '50',
  ];
  const cut = ['-f', 'segment', '-segment_time', '2', '-segment_format', 'mpegts', join(clips, '%d.mpegts')];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...source, '-preset', 'ultrafast', ...cut]);
});
afterAll(() => rm(clips, { recursive: true, force: true }));

beforeEach(async () => {
  platform = await openTestPlatform();
  platform.start();
  bucket = await startBucketServer();
});
afterEach(async () => {
  await platform.dispose();
  await bucket.close();
});

const place = () => ({
  endpoint: bucket.endpoint,
  region: '',
  bucket: serverBucket,
  pathStyle: true,
  prefix: '/films/',
});
const typed = (change: object = {}) => ({ ...place(), ...serverKeys, on: true, ...change });
const save = (change: object = {}) => platform.call('updateObjectStorage', typed(change));
const settings = async () => (await platform.call('queryObjectStorage')).body.data;
const transfers = async () => (await platform.call('queryObjectTransfers')).body.data;
const rows = async () => (await platform.call('queryRecordFiles')).body.data;
const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  platform.app.inject({ method, url: recordLinkPrefix + path, headers });
const eventually = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 20_000, interval: 50 });
const filesOf = (uuid: string) => readdir(join(platform.dataDir, 'record', uuid));
const events = async () => (await platform.call('queryMonitor')).body.data.events;

async function record(): Promise<{ uuid: string; mp4: Buffer }> {
  await platform.call('applyRecord', { all: true });
  const folder = join(platform.dataDir, 'hls', 'live');
  await mkdir(folder, { recursive: true });
  for (const clip of [0, 1]) {
    const seq_no = sent++;
    const name = `s-${seq_no}-${1_700_000_000_000 + seq_no}.ts`;
    const file = join(folder, name);
    await copyFile(join(clips, `${clip}.mpegts`), file);
    const source = { action: 'on_hls', vhost: '__defaultVhost__', app: 'live', stream: 's', m3u8_url: 'live/s.m3u8' };
    const body = { ...source, file, duration: 2, url: `live/${name}`, seq_no };
    await platform.call('hlsSegment', body, { 'x-callback-secret': testCallbackSecret });
  }
  const [{ uuid }] = (await rows()).filter(({ progress }: { progress: boolean }) => progress);
  // The MP4 is read as soon as it exists, because an upload may remove it at any time.
  const path = join(platform.dataDir, 'record', uuid, 'index.mp4');
  await platform.call('endRecord', { uuid });
  const mp4 = await eventually(() => readFile(path));
  return { uuid, mp4 };
}

const rowOf = async (uuid: string) => (await rows()).find((row: { uuid: string }) => row.uuid === uuid);
const placed = (uuid: string, where: string) =>
  eventually(async () => {
    const row = await rowOf(uuid);
    expect(row.place).toBe(where);
    // The state is reported before the last file is removed; the remaining files are still played.
    if (where === 'bucket') expect(await filesOf(uuid)).not.toContain('index.mp4');
    return row;
  });

describe('the settings of the bucket', () => {
  it('are off at first, and never contain the secret key', async () => {
    expect(await settings()).toMatchObject({ on: false, endpoint: '', accessKey: '', hasSecretKey: false });
    const keys = { accessKey: 'AKIA0123456789ABCDEF', secretKey: 'very-secret-and-long' };
    expect((await save(keys)).body.code).toBe(0);
    const kept = await settings();
    expect(kept).toMatchObject({ on: true, accessKey: 'AKIA…CDEF', hasSecretKey: true, region: 'us-east-1' });
    expect(kept).toMatchObject({ prefix: 'films/', delivery: 'auto', delivers: 'server', local: 'keep' });
    const texts = JSON.stringify([kept, (await platform.call('queryAudit')).body, await events()]);
    expect(texts).not.toContain('very-secret');
    expect(texts).not.toContain('AKIA0123456789');
    const files = await readdir(platform.dataDir, { recursive: true, withFileTypes: true });
    // A temporary file may have been renamed since it was listed.
    for (const file of files.filter((each) => each.isFile()))
      expect(await readFile(join(file.parentPath, file.name), 'latin1').catch(() => '')).not.toContain('very-secret');
    expect((await save({ ...keys, accessKey: '', secretKey: '', bucket: 'another' })).body.code).toBe(0);
    platform = await platform.reopen();
    expect(await settings()).toMatchObject({ bucket: 'another', accessKey: 'AKIA…CDEF', hasSecretKey: true });
  });

  it.each([
    [{ endpoint: '' }, 'bucketSettingsIncomplete'],
    [{ bucket: '' }, 'bucketSettingsIncomplete'],
    [{ bucket: '../x' }, 'bucketSettingsIncomplete'],
    [{ accessKey: '', secretKey: '' }, 'bucketSettingsIncomplete'],
    [{ secretKey: '' }, 'bucketSettingsIncomplete'],
    [{ prefix: 'a/../b' }, 'bucketSettingsIncomplete'],
    [{ endpoint: 's3.example.com' }, 'addressRefused'],
    [{ endpoint: 'https://s3.example.com/path' }, 'addressRefused'],
    [{ endpoint: 'https://user:pw@s3.example.com' }, 'addressRefused'],
    [{ endpoint: 'http://169.254.169.254' }, 'addressRefused'],
  ])('with %o are refused', async (change, name) => {
    const { body } = await save(change);
    expect(body.data.name).toBe(name);
    expect(await settings()).toMatchObject({ on: false });
    const test = await platform.call('testObjectStorage', { ...typed(change), on: undefined });
    expect(test.body.data.name).toBe(name);
  });

  it('are compared with what the operator saw', async () => {
    const { revision } = await settings();
    await save();
    const late = await platform.call('updateObjectStorage', { ...typed({ local: 'remove' }), revision });
    expect(late.body.data.name).toBe('settingsChanged');
  });
});

describe('the test of a bucket', () => {
  const test = async (change: object = {}) =>
    (await platform.call('testObjectStorage', { ...place(), ...serverKeys, ...change })).body.data;

  it('writes, reads and deletes an object, and keeps nothing', async () => {
    expect(await test()).toMatchObject({ ok: true, failed: null });
    expect(bucket.requests.map(({ what }) => what)).toEqual(['put', 'head', 'get', 'delete']);
    expect(await settings()).toMatchObject({ on: false, hasSecretKey: false });
  });

  it.each([
    ['put', 'write'],
    ['get', 'read'],
    ['delete', 'delete'],
  ])('reports that %s is denied', async (what, step) => {
    bucket.behave = (request) => (request.what === what ? { status: 403, code: 'AccessDenied' } : 'pass');
    expect(await test()).toMatchObject({ ok: false, failed: { step, kind: 'denied' } });
  });

  it('reports wrong keys, a wrong name and a wrong region', async () => {
    expect(await test({ accessKey: 'NOBODY' })).toMatchObject({ failed: { step: 'write', kind: 'credentials' } });
    expect(await test({ bucket: 'others' })).toMatchObject({ failed: { step: 'write', kind: 'bucket' } });
    bucket.behave = () => ({ status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'eu-west-1' } });
    const { failed } = await test();
    expect(failed).toMatchObject({ kind: 'region', words: expect.stringContaining('eu-west-1') });
  });
});

describe('a finished recording', () => {
  it('is copied to the bucket and stays here', async () => {
    await save();
    const { uuid, mp4 } = await record();
    const row = await placed(uuid, 'both');
    expect(row.object).toMatch(new RegExp(`^s3://recordings/films/live/s/2026-01-02T03-04-05-${uuid}\\.mp4$`));
    const key = row.object.slice('s3://recordings/'.length);
    const object = await fetch(`${bucket.endpoint}/${serverBucket}/${key}`);
    expect(Buffer.from(await object.arrayBuffer())).toEqual(mp4);
    expect(await readFile(join(platform.dataDir, 'record', uuid, 'index.mp4'))).toEqual(mp4);
    expect((await settings()).status).toMatchObject({
      ...{ waiting: { count: 0, bytes: 0 }, stored: { count: 1, bytes: mp4.length } },
      ...{ onlyThere: { count: 0 }, onlyHere: { count: 0 }, problem: null },
    });
    expect(await transfers()).toEqual([]);
  });

  it('from before the bucket was configured is sent too', async () => {
    const { uuid } = await record();
    await eventually(async () => expect((await rowOf(uuid)).progress).toBe(false));
    expect(await rowOf(uuid)).toMatchObject({ place: 'server', object: '' });
    expect((await settings()).status.onlyHere.count).toBe(1);
    await save();
    await placed(uuid, 'both');
  });

  it('without a local copy is played and downloaded from the bucket, through this server', async () => {
    await save({ local: 'remove' });
    const { uuid, mp4 } = await record();
    await placed(uuid, 'bucket');
    await eventually(async () => expect((await filesOf(uuid)).sort()).toEqual(['poster.jpg', 'recording.json']));
    const totals = (await platform.call('queryRecordStatus')).body.data.totals;
    expect(totals).toMatchObject({ count: 1, size: 0 });
    const look = async () => {
      const whole = await get(`${uuid}/index.mp4`);
      expect(whole.statusCode).toBe(200);
      expect(whole.headers['content-type']).toBe('video/mp4');
      expect(whole.rawPayload).toEqual(mp4);
      const part = await get(`${uuid}/index.mp4`, { range: 'bytes=100-199' });
      expect(part.statusCode).toBe(206);
      expect(part.headers['content-range']).toBe(`bytes 100-199/${mp4.length}`);
      expect(part.rawPayload).toEqual(mp4.subarray(100, 200));
      const end = await get(`${uuid}/index.mp4`, { range: 'bytes=-10' });
      expect(end.rawPayload).toEqual(mp4.subarray(-10));
      expect((await get(`${uuid}/index.mp4`, { range: `bytes=${mp4.length}-` })).statusCode).toBe(416);
      const head = await get(`${uuid}/index.mp4`, {}, 'HEAD');
      expect(head.headers['content-length']).toBe(String(mp4.length));
      const unchanged = await get(`${uuid}/index.mp4`, { 'if-none-match': String(whole.headers.etag) });
      expect(unchanged.statusCode).toBe(304);
      const download = await get(`${uuid}/index.mp4?download=1`);
      expect(download.headers['content-disposition']).toContain('attachment; filename="s-2026');
      expect((await get(`${uuid}/poster.jpg`)).statusCode).toBe(200);
      const playlist = await get(`${uuid}.m3u8`);
      expect([playlist.statusCode, playlist.headers.location]).toEqual([302, `${recordLinkPrefix}${uuid}/index.mp4`]);
    };
    await look();
    platform = await platform.reopen();
    platform.start();
    await look();
    expect((await rowOf(uuid)).place).toBe('bucket');
  });

  it('is found by its folder when the table is lost', async () => {
    await save({ local: 'remove' });
    const { uuid } = await record();
    const { object } = await placed(uuid, 'bucket');
    const folder = await openRecordFolder(join(platform.dataDir, 'record'));
    const { present, found } = await takeInventory(folder, new Map(), new Date());
    expect(present.map((facts) => toRow(facts))).toMatchObject([{ uuid, state: 'done', place: 'bucket', object }]);
    expect(found).toHaveLength(1);
  });

  it('whose files were left by a killed process loses them at the next start', async () => {
    await save({ local: 'remove' });
    const { uuid, mp4 } = await record();
    await placed(uuid, 'bucket');
    await eventually(async () => expect(await filesOf(uuid)).toHaveLength(2));
    await writeFile(join(platform.dataDir, 'record', uuid, 'index.mp4'), mp4);
    platform = await platform.reopen();
    expect((await filesOf(uuid)).sort()).toEqual(['poster.jpg', 'recording.json']);
  });

  it('is delivered by expiring links if configured', async () => {
    await save({ local: 'remove', delivery: 'direct' });
    const { uuid, mp4 } = await record();
    await placed(uuid, 'bucket');
    const response = await get(`${uuid}/index.mp4`);
    expect(response.statusCode).toBe(302);
    const link = new URL(String(response.headers.location));
    expect([link.origin, link.searchParams.get('X-Amz-Expires')]).toEqual([bucket.endpoint, '3600']);
    expect(Buffer.from(await (await fetch(link)).arrayBuffer())).toEqual(mp4);
    const download = await get(`${uuid}/index.mp4?download=1`);
    const saved = await fetch(String(download.headers.location));
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="s-2026.*\.mp4"$/);
    expect((await get(`${uuid}/index.mp4?via=server`)).rawPayload).toEqual(mp4);
  });

  it('that the bucket does not return is reported with the reason', async () => {
    await save({ local: 'remove' });
    const { uuid } = await record();
    await placed(uuid, 'bucket');
    bucket.behave = () => ({ status: 403, code: 'AccessDenied' });
    const response = await get(`${uuid}/index.mp4`);
    expect(response.statusCode).toBe(502);
    expect(response.json().data).toMatchObject({
      name: 'bucketFailed',
      message: expect.stringContaining('AccessDenied'),
    });
  });

  it('has a limited number of simultaneous readers, and places are freed when they leave', async () => {
    await save({ local: 'remove' });
    const { uuid } = await record();
    await placed(uuid, 'bucket');
    bucket.behave = ({ what }) => (what === 'get' ? 'hang' : 'pass');
    const { port } = new URL(await platform.app.listen({ host: '127.0.0.1', port: 0 }));
    const link = `http://127.0.0.1:${port}${recordLinkPrefix}${uuid}/index.mp4`;
    const leave = new AbortController();
    const viewers = Array.from({ length: 64 }, () => fetch(link, { signal: leave.signal }).catch(() => undefined));
    await eventually(async () => expect((await fetch(link, { method: 'GET' })).status).toBe(503));
    leave.abort();
    await Promise.all(viewers);
    bucket.behave = () => 'pass';
    await eventually(async () => expect((await fetch(link)).status).toBe(200));
  });

  it('loses its local copy when that is configured later, after another check of the bucket', async () => {
    await save();
    const { uuid } = await record();
    await placed(uuid, 'both');
    bucket.requests.length = 0;
    await save({ local: 'remove' });
    await placed(uuid, 'bucket');
    expect(bucket.requests.map(({ what }) => what)).toEqual(['head']);
  });

  it('whose object is missing when its local copy should be removed is sent again', async () => {
    await save();
    const { uuid, mp4 } = await record();
    const { object } = await placed(uuid, 'both');
    await fetch(`${bucket.endpoint}/${object.slice('s3://'.length)}`, { method: 'DELETE' });
    await save({ local: 'remove' });
    await placed(uuid, 'bucket');
    expect((await get(`${uuid}/index.mp4`)).rawPayload).toEqual(mp4);
  });
});

describe('a bucket that', () => {
  it.each([
    [{ status: 403, code: 'AccessDenied' }, 'denied'],
    [{ status: 503, code: 'SlowDown' }, 'busy'],
    [{ status: 507, code: 'XMinioStorageFull' }, 'full'],
    [{ status: 301, code: 'PermanentRedirect' }, 'region'],
    ['break', 'unreachable'],
  ] as const)(
    'responds %o is reported as %s; the recording waits here and is sent when it works',
    async (behaviour, kind) => {
      bucket.behave = () => behaviour;
      await save({ local: 'remove' });
      const { uuid, mp4 } = await record();
      const waiting = await eventually(async () => {
        const [transfer] = await transfers();
        expect(transfer?.problem).toMatchObject({ kind });
        return transfer;
      });
      expect(waiting).toMatchObject({ uuid, sizeBytes: mp4.length, since: '2026-01-02T03:04:05.000Z' });
      expect((await settings()).status).toMatchObject({ waiting: { count: 1 }, problem: { kind } });
      expect((await rowOf(uuid)).place).toBe('server');
      expect((await get(`${uuid}/index.mp4`)).rawPayload).toEqual(mp4);
      expect(await events()).toContainEqual(
        expect.objectContaining({ kind: 'bucket-failing', severity: 'warning', subject: serverBucket, detail: kind }),
      );
      bucket.behave = () => 'pass';
      await platform.call('retryObjectStorage');
      await placed(uuid, 'bucket');
      expect((await get(`${uuid}/index.mp4`)).rawPayload).toEqual(mp4);
      await eventually(async () =>
        expect(await events()).toContainEqual(expect.objectContaining({ kind: 'bucket-recovered' })),
      );
      expect((await settings()).status.problem).toBeNull();
    },
  );

  it('is slow delays nothing, and a stopped platform continues later', async () => {
    bucket.behave = ({ what }) => (what === 'put' ? 'hang' : 'pass');
    await save({ local: 'remove' });
    const { uuid, mp4 } = await record();
    await eventually(async () => expect(await transfers()).toMatchObject([{ uuid, state: 'sending' }]));
    expect((await get(`${uuid}/index.mp4`)).rawPayload).toEqual(mp4);
    platform = await platform.reopen();
    bucket.behave = () => 'pass';
    platform.start();
    await placed(uuid, 'bucket');
  });

  it('contains other bytes than were sent never costs the local copy', async () => {
    await save({ local: 'remove' });
    let swapped = false;
    bucket.behave = async ({ what, url }): Promise<'pass'> => {
      if (what !== 'head' || swapped) return 'pass';
      swapped = true;
      const path = url.split('?')[0] ?? '';
      const now = await fetch(bucket.endpoint + path);
      const bytes = Buffer.from(await now.arrayBuffer());
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      await fetch(bucket.endpoint + path, { method: 'PUT', body: bytes });
      return 'pass';
    };
    const { uuid, mp4 } = await record();
    await eventually(async () => expect((await transfers())[0]?.problem).toMatchObject({ kind: 'damaged' }));
    expect(await readFile(join(platform.dataDir, 'record', uuid, 'index.mp4'))).toEqual(mp4);
    await placed(uuid, 'bucket');
    expect((await get(`${uuid}/index.mp4`)).rawPayload).toEqual(mp4);
  });
});

describe('a deleted recording', () => {
  it('is removed from the bucket when it is removed from the bin, not before', async () => {
    await save({ local: 'remove' });
    const { uuid, mp4 } = await record();
    const { object } = await placed(uuid, 'bucket');
    const url = `${bucket.endpoint}/${object.slice('s3://'.length)}`;
    await platform.call('removeRecord', { uuid });
    expect((await fetch(url)).status).toBe(200);
    await platform.call('restoreRecord', { uuid });
    expect((await get(`${uuid}/index.mp4`)).rawPayload).toEqual(mp4);
    await platform.call('removeRecord', { uuid });
    await platform.call('emptyRecordBin');
    await eventually(async () => expect((await fetch(url)).status).toBe(404));
    await eventually(async () => expect((await settings()).status.removals).toEqual({ count: 0, problem: null }));
  });

  it('whose object cannot be deleted reports it until it is deleted, or until the operator leaves it there', async () => {
    await save();
    const { uuid } = await record();
    await placed(uuid, 'both');
    bucket.behave = ({ what }) => (what === 'delete' ? { status: 403, code: 'AccessDenied' } : 'pass');
    await platform.call('removeRecord', { uuid, forever: true });
    expect(await rows()).toEqual([]);
    await eventually(async () =>
      expect((await settings()).status.removals).toMatchObject({ count: 1, problem: { kind: 'denied' } }),
    );
    expect(await events()).toContainEqual(expect.objectContaining({ kind: 'bucket-failing', detail: 'denied' }));
    platform = await platform.reopen();
    expect((await settings()).status.removals.count).toBe(1);
    await platform.call('retryObjectStorage', { forgetRemovals: true });
    expect((await settings()).status.removals).toEqual({ count: 0, problem: null });
  });

  it('that waits for the bucket is not sent', async () => {
    bucket.behave = () => 'break';
    await save();
    const { uuid } = await record();
    await eventually(async () => expect((await transfers())[0]?.problem).not.toBeNull());
    await platform.call('removeRecord', { uuid });
    expect(await transfers()).toEqual([]);
    bucket.behave = () => 'pass';
    await platform.call('restoreRecord', { uuid });
    await placed(uuid, 'both');
  });
});
