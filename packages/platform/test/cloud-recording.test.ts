// Recording to the cloud: setup, DVR, VoD, and their failures. A double of the cloud verifies every signature.
import { mkdir, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cloudLinkPrefixes, type DvrRow, type VodRow } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TencentDouble, testAppId, testCloudSecret } from '../src/testing/tencent-double.ts';
import { makeTestClip } from '../src/testing/test-clip.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let clip: Buffer;
let cloud: TencentDouble;
let platform: TestPlatform;
let sequence: number;

beforeAll(() => {
  clip = makeTestClip();
});
let folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

beforeEach(async () => {
  sequence = 0;
  folders = [];
  cloud = await new TencentDouble().start();
  platform = await openTestPlatform({ TENCENT_ENDPOINT: cloud.url });
  platform.start();
});
afterEach(async () => {
  await platform.dispose();
  await cloud.close();
});

const call = async (name: Parameters<TestPlatform['call']>[0], body: object = {}) => {
  const response = await platform.call(name, body);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body.data;
};
const saveSecret = () => call('updateCloudSecret', testCloudSecret);
const until = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 25_000, interval: 20 });

async function segment(stream = 's') {
  const name = `${stream}-${sequence}.ts`;
  const folder = join(platform.dataDir, 'hls', 'live');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), clip);
  const source = {
    vhost: '__defaultVhost__',
    app: 'live',
    stream,
    m3u8_url: `live/${stream}.m3u8`,
    url: `live/${name}`,
  };
  const body = { action: 'on_hls', ...source, file: join(folder, name), duration: 1, seq_no: sequence++ };
  const { status } = await platform.call('hlsSegment', body, { 'x-callback-secret': testCallbackSecret });
  await unlink(join(folder, name));
  return status;
}
const dvrRow = async (): Promise<DvrRow> => (await call('queryDvrFiles'))[0];
const vodRow = async (): Promise<VodRow> => (await call('queryVodFiles'))[0];
/** Ends a recording by silence: the next start of the platform detects that the stream has ended. */
async function endBySilence() {
  platform.clock.nowMs = Date.now() + 301_000;
  platform = await platform.reopen();
  platform.start();
}
const localSegments = async (kind: 'dvr' | 'vod', uuid: string) =>
  (await readdir(join(platform.dataDir, kind, uuid))).filter((name) => name.endsWith('.ts'));
const get = (path: string) => platform.app.inject({ method: 'GET', url: path });

describe('the account', () => {
  it('is set up once: bucket, policy, CORS, VoD application; and the keys are never returned again', async () => {
    await saveSecret();
    await saveSecret();
    const account = await call('queryCloudAccount');
    expect(account).toMatchObject({ secretId: 'AKID…hESA', region: 'ap-beijing', storageRegion: 'ap-chongqing' });
    expect(account.bucket).toMatch(new RegExp(`^srs-lighthouse-[0-9a-f]{4}-${testAppId}$`));
    expect(cloud.bucketCalls.slice(0, 3)).toEqual([
      `PUT ${account.bucket}`,
      `PUT ${account.bucket}?policy`,
      `PUT ${account.bucket}?cors`,
    ]);
    expect(cloud.actions.filter((action) => action === 'vod:CreateSubAppId')).toHaveLength(1);
    expect(await call('queryVod')).toEqual({ all: false, secret: true, service: true, storage: true });
    expect(await call('queryDvr')).toEqual({ all: false, secret: true });
    const responses = JSON.stringify([account, await call('queryAudit', {})]);
    expect(responses).not.toContain(testCloudSecret.secretKey);
    expect(responses).not.toContain(testCloudSecret.secretId);
    const stored = await readFile(join(platform.dataDir, 'store.sqlite'));
    expect(stored.includes(testCloudSecret.secretKey)).toBe(false);
    platform = await platform.reopen();
    expect(await call('queryDvr')).toEqual({ all: false, secret: true });
  });

  it.each([
    [{ secretId: 'AKIDwrong', secretKey: 'x' }, 422, 'cloudCredentialsRefused'],
    [{ ...testCloudSecret, secretKey: 'wrong' }, 422, 'cloudCredentialsRefused'],
    [{ secretId: '', secretKey: 'x' }, 400, 'invalidRequest'],
    [{ secretId: 'x' }, 400, 'invalidRequest'],
  ])('%j is refused with %i and nothing is stored', async (secret, status, name) => {
    const response = await platform.call('updateCloudSecret', secret);
    expect([response.status, response.body.data.name]).toEqual([status, name]);
    expect(await call('queryDvr')).toEqual({ all: false, secret: false });
  });

  it('reports the failed step, and keeps what succeeded', async () => {
    cloud.hasVod = false;
    const { status, body } = await platform.call('updateCloudSecret', testCloudSecret);
    expect([status, body.data.name]).toEqual([502, 'cloudRefused']);
    expect(body.data.message).toContain('DVR is ready, but VoD is not');
    expect(await call('queryDvr')).toEqual({ all: false, secret: true });
    expect(await call('queryVod')).toEqual({ all: false, secret: true, service: false, storage: false });
  });

  it('reports that the cloud is unreachable', async () => {
    await cloud.close();
    const { status, body } = await platform.call('updateCloudSecret', testCloudSecret);
    expect([status, body.data.name]).toEqual([502, 'cloudUnreachable']);
    cloud = await new TencentDouble().start();
  });
});

it('DVR and VoD exclude each other', async () => {
  await call('applyDvr', { all: true });
  const { status, body } = await platform.call('applyVod', { all: true });
  expect([status, body.data.name]).toEqual([409, 'cloudRecordingExclusive']);
  await call('applyDvr', { all: false });
  await call('applyVod', { all: true });
  expect((await platform.call('applyDvr', { all: true })).status).toBe(409);
  platform = await platform.reopen();
  expect(await call('queryVod')).toMatchObject({ all: true });
});

it('segments are not requested until the credentials are complete; local recording works without them', async () => {
  await call('applyDvr', { all: true });
  await call('applyRecord', { all: true });
  expect(await segment()).toBe(200);
  expect(await call('queryDvrFiles')).toEqual([]);
  expect(await call('queryRecordFiles')).toHaveLength(1);
  await saveSecret();
  await segment();
  expect(await call('queryDvrFiles')).toHaveLength(1);
});

describe('DVR', () => {
  beforeEach(async () => {
    await saveSecret();
    await call('applyDvr', { all: true });
  });

  it('uploads each segment when it is complete, and the playlist at the end', async () => {
    await segment();
    await segment();
    const row = await until(async () => {
      const found = await dvrRow();
      expect(found.uploaded).toBe(2);
      return found;
    });
    expect(row).toMatchObject({
      app: 'live',
      stream: 's',
      progress: true,
      state: 'recording',
      nn: 2,
      duration: 2,
      size: clip.length * 2,
    });
    expect(row).toMatchObject({ region: 'ap-beijing', problem: '', problemKind: null, url: '' });
    const keys = cloud.keys(row.uuid);
    expect(keys).toHaveLength(2);
    expect(cloud.objects.get(keys[0] ?? '')).toEqual({ body: clip, type: 'video/MP2T' });
    expect(await localSegments('dvr', row.uuid)).toEqual([]);
    const playlist = await get(`${cloudLinkPrefixes.dvr}${row.uuid}.m3u8`);
    expect(playlist.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    expect(playlist.body.match(/http:\S+\.ts/g)).toEqual(keys.map((key) => `${cloud.url}/${key}`));

    await endBySilence();
    const done = await until(async () => {
      const found = await dvrRow();
      expect(found.state).toBe('done');
      return found;
    });
    expect(done).toMatchObject({ uuid: row.uuid, progress: false, nn: 2, uploaded: 2, size: clip.length * 2 });
    const text = cloud.objects.get(`${done.bucket}/${row.uuid}/index.m3u8`)?.body.toString();
    expect(text?.match(/\S+\.ts/g)).toEqual(keys.map((key) => key.slice(key.lastIndexOf('/') + 1)));
    expect((await fetch(done.url)).status).toBe(200);
  });

  it.each([
    ['denied', 'denied', /AccessDenied/],
    ['no-bucket', 'missing', /NoSuchBucket/],
    ['busy', 'unreachable', /503|ServiceUnavailable/],
    ['cut', 'unreachable', /ECONNRESET|socket hang up|does not answer/],
  ] as const)(
    'a failing bucket (%s) is reported and retried, and loses nothing',
    async (trouble, problemKind, problem) => {
      cloud.trouble = trouble;
      await segment();
      await segment();
      const row = await until(async () => {
        const found = await dvrRow();
        expect(found.problemKind).toBe(problemKind);
        expect(found.problemCode).not.toBe('');
        return found;
      });
      expect(row.problem).toMatch(problem);
      expect(row.retryAt).not.toBe('');
      expect(await localSegments('dvr', row.uuid)).toHaveLength(2);
      // Segments that are not uploaded yet play from this server.
      const [link = ''] =
        (await get(`${cloudLinkPrefixes.dvr}${row.uuid}.m3u8`)).body.match(/\/terraform\S+\.ts/) ?? [];
      expect((await get(link)).rawPayload).toEqual(clip);
      cloud.trouble = 'none';
      await until(async () =>
        expect(await dvrRow()).toMatchObject({
          uploaded: 2,
          problem: '',
          problemKind: null,
          problemCode: '',
          retryAt: '',
        }),
      );
      expect((await get(link)).headers.location).toContain(cloud.url);
    },
  );

  it('continues after the server was killed while the cloud hung, and uploads no recorded segment twice', async () => {
    await segment();
    await until(async () => expect(await dvrRow()).toMatchObject({ uploaded: 1 }));
    cloud.trouble = 'hang';
    await segment();
    const { uuid } = await dvrRow();
    await until(() => expect(cloud.hanging).toBe(1));
    expect(await localSegments('dvr', uuid)).toHaveLength(1);
    cloud.trouble = 'none';
    platform = await platform.reopen();
    platform.start();
    await segment();
    await until(async () => expect(await dvrRow()).toMatchObject({ uuid, uploaded: 3, nn: 3, state: 'recording' }));
    expect(cloud.keys(uuid)).toHaveLength(3);
  });

  it('new credentials are used immediately', async () => {
    cloud.secretKey = 'AnotherSecretKey';
    await segment();
    await until(async () => expect(await dvrRow()).toMatchObject({ problemKind: 'credentials' }));
    await call('updateCloudSecret', { ...testCloudSecret, secretKey: 'AnotherSecretKey' });
    await until(async () => expect(await dvrRow()).toMatchObject({ uploaded: 1, problemKind: null }));
  });

  it('a missing segment is skipped, the rest is uploaded', async () => {
    cloud.trouble = 'denied';
    await segment();
    await segment();
    const { uuid } = await dvrRow();
    const [first = ''] = await localSegments('dvr', uuid);
    await unlink(join(platform.dataDir, 'dvr', uuid, first));
    cloud.trouble = 'none';
    await endBySilence();
    await until(async () => expect(await dvrRow()).toMatchObject({ state: 'done', uploaded: 1 }));
    expect(cloud.keys(uuid)).toHaveLength(2);
  });

  it('a task that cannot be completed can be removed, with its files', async () => {
    cloud.trouble = 'denied';
    await segment();
    const { uuid } = await dvrRow();
    await call('removeDvr', { uuid });
    expect(await call('queryDvrFiles')).toEqual([]);
    expect(await readdir(join(platform.dataDir, 'dvr'))).toEqual(['.bin']);
    for (const wrong of [uuid, '../../config', '%2e%2e']) {
      expect((await platform.call('removeDvr', { uuid: wrong })).status).toBe(404);
    }
  });

  it.each(['..%2f..%2fconfig%2fstore.key', '../config/store.key', 'x.m3u8', `${'a'.repeat(36)}.m3u8`])(
    'the link %s does not work',
    async (path) => expect((await get(cloudLinkPrefixes.dvr + path)).statusCode).toBe(404),
  );
});

describe('VoD', () => {
  beforeEach(async () => {
    await saveSecret();
    await call('applyVod', { all: true });
  });
  const isDone = () =>
    until(async () => {
      const found = await vodRow();
      expect(found).toMatchObject({ state: 'done', progress: false });
      return found;
    });

  it('applies, uploads beside the playlist, commits, starts the remux and shows its result', async () => {
    await segment();
    await segment();
    const { uuid } = await until(async () => {
      const found = await vodRow();
      expect(found.uploaded).toBe(2);
      return found;
    });
    // Local copies of the segments stay until the upload is committed (`CommitUpload`).
    expect(await localSegments('vod', uuid)).toHaveLength(2);
    expect((await get(`${cloudLinkPrefixes.vod}${uuid}.m3u8`)).body).toContain(`${cloudLinkPrefixes.vod}${uuid}/`);
    await endBySilence();
    const done = await isDone();
    expect(done).toMatchObject({ uuid, nn: 2, file: expect.stringMatching(/^52858907/), task: null });
    expect((await fetch(done.media)).status).toBe(200);
    const flow = cloud.actions.filter((action) => /Upload|ProcessMedia/.test(action));
    expect(flow).toEqual(['vod:ApplyUpload', 'vod:CommitUpload', 'vod:ProcessMedia']);
    expect(await localSegments('vod', uuid)).toEqual([]);
    await platform.modules.recording.cloud.vod.lookUp();
    expect((await vodRow()).task).toMatchObject({ width: 640, height: 360, url: `${cloud.url}/f0.mp4` });
  });

  it('one session contains all segments, whatever their number', async () => {
    // The session expires immediately, because the renewal margin is longer than its lifetime.
    platform.clock.nowMs = Date.now();
    cloud.sessionSeconds = 10;
    await segment();
    await until(async () => expect(await vodRow()).toMatchObject({ uploaded: 1 }));
    await segment();
    await until(async () => expect(await vodRow()).toMatchObject({ uploaded: 2 }));
    expect(cloud.sessions.size).toBe(2);
    cloud.sessionSeconds = 7200;
    await endBySilence();
    const { file } = await isDone();
    const session = [...cloud.sessions.values()].find(({ fileId }) => fileId === file);
    expect(cloud.keys(session?.directory ?? '?')).toHaveLength(3);
  });

  it('a commit whose response was lost with the platform creates no second medium', async () => {
    // A media file of another server, created meanwhile.
    cloud.media.push({ fileId: 'other', mark: 'of another server', url: '', createdAt: new Date() });
    await segment();
    await until(async () => expect(await vodRow()).toMatchObject({ uploaded: 1 }));
    cloud.lostCommitResponses = 1;
    await endBySilence();
    await until(() => expect(cloud.media).toHaveLength(2));
    platform = await platform.reopen();
    platform.start();
    const { file, media } = await isDone();
    expect(cloud.media[1]).toMatchObject({ fileId: file, url: media });
    expect(cloud.actions).toContain('vod:SearchMedia');
    const uploadActions = cloud.actions.filter((action) => /Apply|Commit/.test(action));
    expect(uploadActions).toEqual(['vod:ApplyUpload', 'vod:CommitUpload']);
    expect(cloud.media).toHaveLength(2);
  });

  it('a commit that never reached the cloud is repeated', async () => {
    await segment();
    await until(async () => expect(await vodRow()).toMatchObject({ uploaded: 1 }));
    cloud.lostCommits = 1;
    await endBySilence();
    const { file } = await isDone();
    expect(cloud.actions.filter((action) => action === 'vod:CommitUpload')).toHaveLength(2);
    expect(cloud.media.map(({ fileId }) => fileId)).toEqual([file]);
  });

  it('a refused commit is repeated with a new session', async () => {
    await segment();
    await until(async () => expect(await vodRow()).toMatchObject({ uploaded: 1 }));
    cloud.sessions.clear();
    await endBySilence();
    await isDone();
    expect(cloud.actions.filter((action) => action === 'vod:ApplyUpload')).toHaveLength(2);
  });
});
