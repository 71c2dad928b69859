// Two servers that share a store act as one: recordings, access rules, slate, channels and tasks.
// A task moves when its server is drained from the console or dies. The Cluster page shows the move.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endpoints, recordLinkPrefix, uploadPath } from '@srs-stack/contract';
import { nodeRecordOrders, nodeRecordPrefix } from '@srs-stack/contract/node-calls.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BucketServer,
  serverBucket,
  serverKeys,
  startBucketServer,
} from '../packages/platform/src/testing/bucket-server.ts';
import {
  hasRedis,
  startRedis,
  type TestRedis,
  testClusterSecret,
} from '../packages/platform/src/testing/redis-server.ts';
import { type Admin, logIn } from './support/api.ts';
import { launchChromium } from './support/chromium.ts';
import { openConsole, textsOf } from './support/console.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { firstBrightness } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { forwardRow, untilState, vliveRow } from './support/scenario-rows.ts';
import { type SeededRecording, seedRecording } from './support/seeded-recordings.ts';
import { until } from './support/until.ts';

const password = 'a password for two servers';
/** Size of an MP4 that does not fit into the socket buffers of client and server, bytes. */
const largeMp4Bytes = 16 * 1024 * 1024;
const filmSource = [
  '-f',
  'lavfi',
  '-i',
  'testsrc2=size=160x90:rate=25:duration=5',
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
];
/** 16 × 9 pixels. */
const whitePng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAJCAAAAAAeQfPuAAAAD0lEQVR4nGP4jwYYBokAAOAHj3GkYCoYAAAAAElFTkSuQmCC',
  'base64',
);
const makeFolder = () => mkdtempSync(join(tmpdir(), 'srs-stack-cluster-'));

describe.skipIf(!hasRedis)('two servers that share a store', () => {
  let redis: TestRedis;
  let north: Product;
  let south: Product;
  let admin: Admin;
  let browser: Browser;
  let bucket: BucketServer;
  const film = join(makeFolder(), 'film.mp4');
  const folders = { north: makeFolder(), south: makeFolder() };
  const variables = (name: 'north' | 'south') => ({
    ...{ CLUSTER_URL: redis.url, CLUSTER_SECRET: testClusterSecret, CLUSTER_ADVERTISE: '127.0.0.1' },
    ...{ NODE_NAME: name, MGMT_PASSWORD: password, DATA_DIR: folders[name] },
  });
  let older: SeededRecording;
  let newer: SeededRecording;
  beforeAll(async () => {
    redis = await startRedis();
    older = seedRecording(folders.north, 'matinee', '2026-01-01T10:00:00.000Z', 100_000);
    newer = seedRecording(folders.south, 'gala', '2026-01-01T11:00:00.000Z', largeMp4Bytes);
    bucket = await startBucketServer();
    await runFfmpeg([...filmSource, film]);
    // The limit of one task makes the second task run on the other server (south).
    north = await startProduct({ ...variables('north'), WORKER_SLOTS: '1' });
    // WORKER_KINDS excludes forwards from this server, so the first server (north) runs the forward.
    south = await startProduct({ ...variables('south'), WORKER_KINDS: 'vlive,transcode' });
    admin = await logIn(north, password);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await stopAllFfmpeg();
    await browser?.close();
    await Promise.all([north?.remove(), south?.remove()]);
    await redis?.dispose();
    await bucket?.close();
    rmSync(dirname(film), { recursive: true, force: true });
  });

  const nodes = async () => (await admin.call(endpoints.queryCluster, {})).nodes;
  const tasks = async (name: string) => (await nodes()).find((node) => node.name === name)?.tasks;
  const forward = () => forwardRow(admin, 'forwarding-own');
  const relay = () => vliveRow(admin, 'wx');
  const target = (stream: string) => ({
    ...{ action: 'update', custom: true, label: 'own', enabled: true },
    ...{ server: `rtmp://127.0.0.1:${north.ports.rtmp}/remote/`, secret: `${stream}?${admin.publishQuery}` },
  });

  const linkTo = ({ uuid }: SeededRecording, file = '/index.mp4') => `${recordLinkPrefix}${uuid}${file}`;
  const rowOf = async ({ uuid }: SeededRecording) =>
    (await admin.call(endpoints.queryRecordFiles, {})).find((row) => row.uuid === uuid);

  it('list the recordings of both, newest first, each with its server', async () => {
    await until('both are nodes', async () => (await nodes()).length === 2);
    for (const product of [north, south]) {
      const { call } = await logIn(product, password);
      const rows = await call(endpoints.queryRecordFiles, {});
      expect(rows.map(({ uuid, node }) => [uuid, node?.name, node?.isAway])).toEqual([
        [newer.uuid, 'south', false],
        [older.uuid, 'north', false],
      ]);
      expect(await call(endpoints.queryRecordFiles, { offset: 1, limit: 1 })).toMatchObject([{ uuid: older.uuid }]);
      expect(await call(endpoints.queryRecordFiles, { search: 'south' })).toMatchObject([{ uuid: newer.uuid }]);
      const { totals, nodes: having } = await call(endpoints.queryRecordStatus, { search: 'gala' });
      expect(totals).toMatchObject({ count: 2 });
      expect(having?.map(({ name, recordings }) => [name, recordings]).sort()).toEqual([
        ['north', 1],
        ['south', 1],
      ]);
    }
  });

  it('play and download recordings of the other one', async () => {
    const get = (path: string, headers: Record<string, string> = {}) => fetch(north.url + path, { headers });
    const whole = await get(linkTo(newer));
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(Buffer.from(await whole.arrayBuffer()).equals(newer.mp4)).toBe(true);
    const part = await get(linkTo(newer), { range: 'bytes=1000-1999' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${newer.mp4.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(newer.mp4.subarray(1_000, 2_000))).toBe(true);
    const etag = whole.headers.get('etag') ?? '';
    expect((await get(linkTo(newer), { 'if-none-match': etag })).status).toBe(304);
    expect((await get(linkTo(newer), { range: `bytes=${newer.mp4.length}-` })).status).toBe(416);
    const saved = await get(`${linkTo(newer)}?download=1`);
    expect(saved.headers.get('content-disposition')).toContain('gala');
    await saved.body?.cancel();
    const head = await fetch(north.url + linkTo(newer), { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(newer.mp4.length));
    expect((await get(linkTo(newer, '/poster.jpg'))).status).toBe(404);

    const playlist = await (await get(linkTo(newer, '.m3u8'))).text();
    const slices = playlist.split('\n').filter((line) => line.startsWith('/'));
    const fetched = await Promise.all(slices.map(async (path) => Buffer.from(await (await get(path)).arrayBuffer())));
    expect(fetched.map((bytes) => bytes.toString('hex'))).toEqual(newer.slices.map((bytes) => bytes.toString('hex')));
  });

  it('apply access rules of one server at both', async () => {
    const { revision } = await admin.call(endpoints.queryWatching, {});
    const rules = [{ pattern: 'live/gala', mode: 'signed' as const }];
    await admin.call(endpoints.updateWatchRules, { rules, revision });
    expect((await fetch(north.url + linkTo(newer))).status).toBe(401);
    const query = (await rowOf(newer))?.watchQuery ?? '';
    const opened = await fetch(`${north.url}${linkTo(newer)}?${query}`, { headers: { range: 'bytes=0-9' } });
    expect([opened.status, Buffer.from(await opened.arrayBuffer()).equals(newer.mp4.subarray(0, 10))]).toEqual([
      206,
      true,
    ]);
    const playlist = await (await fetch(`${north.url}${linkTo(newer, '.m3u8')}?${query}`)).text();
    const [slice = ''] = playlist.split('\n').filter((line) => line.startsWith('/'));
    expect((await fetch(north.url + slice)).status).toBe(200);
    expect((await fetch(north.url + slice.split('?')[0])).status).toBe(401);
    const now = await admin.call(endpoints.queryWatching, {});
    await admin.call(endpoints.updateWatchRules, { rules: [], revision: now.revision });

    const inner = `${nodeRecordPrefix}${newer.uuid}/index.mp4`;
    for (const headers of [{}, { 'x-callback-secret': '' }, { authorization: `Bearer ${admin.session.bearer}` }])
      expect((await fetch(south.url + inner, { headers })).status).toBe(403);
    const order = { method: 'POST', body: JSON.stringify({ action: 'empty-bin', ip: '' }) };
    expect((await fetch(south.url + nodeRecordOrders, order)).status).toBe(403);
  });

  it('continue for other viewers when some disconnect', async () => {
    for (let round = 0; round < 10; round++) {
      const left = new AbortController();
      const response = await fetch(north.url + linkTo(newer), { signal: left.signal });
      const reader = response.body!.getReader();
      await reader.read();
      left.abort();
      await reader.closed.catch(() => undefined);
    }
    const again = await fetch(north.url + linkTo(newer));
    expect(Buffer.from(await again.arrayBuffer()).equals(newer.mp4)).toBe(true);
  });

  it('delete and restore recordings of the other one', async () => {
    await admin.call(endpoints.removeRecord, { uuid: newer.uuid });
    await until('it is in the bin', async () => (await rowOf(newer)) === undefined);
    expect(await admin.call(endpoints.queryRecordBin, {})).toMatchObject([
      { uuid: newer.uuid, node: { name: 'south', isAway: false } },
    ]);
    expect((await fetch(north.url + linkTo(newer))).status).toBe(404);
    await admin.call(endpoints.restoreRecord, { uuid: newer.uuid });
    await until('it is back', async () => (await rowOf(newer)) !== undefined);
    expect((await fetch(north.url + linkTo(newer), { method: 'HEAD' })).status).toBe(200);
    await expect(admin.call(endpoints.endRecord, { uuid: newer.uuid })).rejects.toMatchObject({
      errorName: 'notFound',
    });
  });

  it('show the slate image that the other one received', async () => {
    const image = whitePng.toString('base64');
    const slates = { enabled: true, patterns: ['live/shown'], afterSeconds: 1, longestMinutes: 1, image };
    await admin.call(endpoints.updateSlates, slates);
    const atSouth = await logIn(south, password);
    const row = async () =>
      (await atSouth.call(endpoints.querySlates, {})).streams.find(({ stream }) => stream === 'shown');
    const encoder = publishTestSource(south.rtmpUrl(`shown?${atSouth.publishQuery}`), { video: {}, audio: {} });
    await until('the slate is ready', async () => (await row())?.state === 'ready');
    await encoder.stop('abruptly');
    await until('the slate is on the air', async () => ((await row())?.onAirMs ?? 0) > 0);
    expect(await firstBrightness(`${south.url}/live/shown.flv`)).toBeGreaterThan(200);
    await admin.call(endpoints.updateSlates, { enabled: false, image: '' });
    await until('the stream has ended', async () => (await row()) === undefined);
  });

  it('run each task once, and hand it over when one is drained or dies', async () => {
    await until('both are nodes', async () => (await nodes()).length === 2);
    await publishTestSource(north.rtmpUrl(`lobby?${admin.publishQuery}`), { video: {}, audio: {} }).sending(50);
    await admin.call(endpoints.forwardSecret, { ...target('forwarded'), platform: 'forwarding-own' });
    await untilState('running', forward);

    const source = `rtmp://127.0.0.1:${north.ports.rtmp}/live/lobby`;
    const file = { name: 'lobby', uuid: '', target: source, size: 0, type: 'stream' as const };
    const files = await admin.call(endpoints.vliveSource, { platform: 'wx', files: [file] });
    await admin.call(endpoints.vliveSecret, { ...target('relayed'), ...files, platform: 'wx' });
    await untilState('running', relay);
    expect(await tasks('north')).toEqual({ forward: 1, vlive: 0, transcode: 0 });
    expect(await tasks('south')).toEqual({ forward: 0, vlive: 1, transcode: 0 });

    await drainInConsole();

    // A killed control plane restarts and gets its task again. The FFmpeg of the killed control plane has exited.
    await untilState('running', relay);
    const { pid } = await relay();
    await south.kill('platform');
    await until('another process', async () => (await untilState('running', relay)).pid !== pid);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await tasks('south')).toMatchObject({ vlive: 1 });

    await admin.call(endpoints.removeVlive, { platform: 'wx' });
    await admin.call(endpoints.removeForward, { platform: 'forwarding-own' });
  });

  it('show on which of them a channel plays', async () => {
    const atSouth = await logIn(south, password);
    const draft = { title: 'News', stream: 'news', zone: 'UTC', height: 360, fps: 25, kbps: 300 } as const;
    const { id } = await atSouth.call(endpoints.createChannel, { ...draft, playlist: [], weekly: [] });
    await atSouth.call(endpoints.switchChannel, { id, enabled: true });
    const channel = async ({ call }: Admin) => (await call(endpoints.listChannels, {})).channels[0];
    await until('it is on the air', async () => (await channel(atSouth))?.state === 'on-air');
    expect(await channel(admin)).toMatchObject({ state: 'elsewhere', server: 'south' });
  });

  it('play a file of a dead server from the bucket', async () => {
    const atSouth = await logIn(south, password);
    const form = new FormData();
    form.append('file', new Blob([readFileSync(film)]), 'film.mp4');
    const headers = { authorization: `Bearer ${atSouth.session.bearer}` };
    const uploaded = await fetch(`${south.url}${uploadPath}film.mp4`, { method: 'POST', headers, body: form });
    expect(uploaded.status).toBe(200);
    const inLibrary = async () => (await admin.call(endpoints.queryLibrary, {})).files[0];
    const { uuid = '', target: path = '', size = 0, name = '', node } = (await inLibrary()) ?? {};
    expect(node).toMatchObject({ name: 'south', isAway: false });
    // South stores the uploaded file. The call reaches north, and north makes south probe the file.
    const file = { name, uuid, target: path, size, type: 'upload' as const };
    const sources = await admin.call(endpoints.vliveSource, { platform: 'wx', files: [file] });
    await admin.call(endpoints.vliveSecret, { ...target('played'), ...sources, platform: 'wx' });
    await untilState('running', relay);
    expect(await tasks('south')).toMatchObject({ vlive: 1 });

    const place = { endpoint: bucket.endpoint, region: '', bucket: serverBucket, pathStyle: true, prefix: '' };
    await admin.call(endpoints.updateObjectStorage, { ...place, ...serverKeys, on: true });
    await until('the file is in the bucket', async () => (await inLibrary())?.place === 'both');
    await south.killSupervisor();
    await until('the other server has it', async () => (await tasks('north'))?.vlive === 1);
    await untilState('running', relay);
    expect((await relay()).source).toBe(uuid);
  });

  it('list recordings of an unavailable server, and report that it is unavailable', async () => {
    await until('it is unavailable', async () => (await rowOf(newer))?.node?.isAway === true);
    expect((await rowOf(newer))?.node?.name).toBe('south');
    const refused = await fetch(north.url + linkTo(newer));
    expect([refused.status, (await refused.json()).data.name]).toEqual([502, 'nodeAway']);
    await expect(admin.call(endpoints.removeRecord, { uuid: newer.uuid })).rejects.toMatchObject({
      errorName: 'nodeAway',
    });
    expect((await fetch(north.url + linkTo(older), { method: 'HEAD' })).status).toBe(200);
  });

  it('report that the server of a channel does not respond', async () => {
    const [channel] = (await admin.call(endpoints.listChannels, {})).channels;
    expect(channel).toMatchObject({ state: 'unreachable', server: 'south' });
    const text = textsOf('en', 'features/channels');
    const { page, open, errors, close } = await openConsole(browser, north, admin, 'en');
    await open('channel');
    await page.getByText(text('on.unreachable', { server: 'south' }), { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  async function drainInConsole(): Promise<void> {
    const text = textsOf('en', 'features/settings/cluster');
    const { page, errors, close } = await openConsole(browser, north, admin, 'en');
    await page.goto(`${north.url}/mgmt/en/routers-settings?tab=cluster`);
    const item = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await item('north').getByText(text('node.self')).waitFor();
    await item('south').getByText(text('state.running'), { exact: true }).waitFor();
    expect(await page.content()).not.toContain(testClusterSecret);
    await page.getByRole('button', { name: text('join.show') }).click();
    await page.getByText(testClusterSecret).first().waitFor();
    await page.getByRole('button', { name: text('join.hide') }).click();

    await item('south')
      .getByRole('button', { name: text('drain.start') })
      .click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await item('south').getByText(text('drain.done')).waitFor();
    await item('south')
      .getByRole('button', { name: text('drain.end') })
      .click();
    await item('south').getByText(text('state.running'), { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await close();
  }
});
