// MEDIA_SERVER=srs with an origin and an edge of a released SRS, with the configurations that the console generates.
// The environment variable SRS names the program. Without the variable, the tests are skipped.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, type LiveStream } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { type FfmpegRun, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { freePort } from './support/free-port.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const program = process.env.SRS;
let folder: string;
let product: Product;
let admin: Admin;
let names: readonly string[];
let https: readonly number[];
/** Running SRS servers by the name of their configuration file. */
const running = new Map<string, ChildProcess>();

/** Two adjacent ports: the RTMP port of the edge follows the RTMP port of the origin. */
async function twoFreePorts(): Promise<number> {
  for (let port = await freePort(); ; ) {
    const next = await freePort();
    if (next === port + 1) return port;
    port = next;
  }
}

function run(fileName: string): void {
  const srs = spawn(program ?? '', ['-c', join(folder, fileName)], { cwd: folder, stdio: 'ignore' });
  running.set(fileName, srs);
}

async function kill(fileName: string): Promise<void> {
  const srs = running.get(fileName);
  if (!srs || srs.exitCode !== null || srs.signalCode !== null) return;
  const ended = once(srs, 'exit');
  srs.kill('SIGKILL');
  await ended;
}

const serversUp = async () =>
  (await admin.call(endpoints.queryComponents, {})).mediaServer.servers?.map(({ isUp }) => isUp);
const bothUp = () => until('both respond', async () => (await serversUp())?.every(Boolean));
const rowsOf = async (stream: string) =>
  (await admin.call(endpoints.queryLive, {})).streams.filter((row) => row.stream === stream);
const publish = (stream: string, port = product.ports.rtmp): FfmpegRun =>
  publishTestSource(`rtmp://127.0.0.1:${port}/live/${stream}?${admin.publishQuery}`, { video: {}, audio: {} });
const play = async (address: string) => {
  const viewer = runFfmpeg(['-i', address, '-c', 'copy', '-f', 'null', '-']);
  await viewer.sending(10);
  return viewer;
};
const rowWith = (stream: string, viewers: number): Promise<LiveStream> =>
  until(`${stream} has ${viewers} viewers`, async () => {
    const rows = await rowsOf(stream);
    return rows.length === 1 && rows[0]?.viewers === viewers ? rows[0] : undefined;
  });
const clientsOf = async ({ id }: LiveStream) =>
  (await admin.call(endpoints.queryLiveClients, { streamId: id })).clients;

describe.skipIf(program === undefined)('an origin and an edge of a released SRS (its path in SRS)', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'srs-stack-cluster-'));
    mkdirSync(join(folder, 'product/hls'), { recursive: true });
    const rtmp = await twoFreePorts();
    const [apis, files] = [
      [await freePort(), await freePort()],
      [await freePort(), await freePort()],
    ];
    names = apis.map((port) => `127.0.0.1:${port}`);
    https = files;
    product = await startProduct({
      DATA_DIR: join(folder, 'product'),
      MEDIA_SERVER: 'srs',
      SRS_API_SERVER: names.join(','),
      SRS_HTTP_SERVER: files.map((port) => `127.0.0.1:${port}`).join(','),
      RTMP_PORT: String(rtmp),
      SRT_LISTEN: 'off',
      RTC_PORT: String(await freePort()),
      HLS_PATH: join(folder, 'product/hls'),
    });
    admin = await setUp(product, 'a long first password');
    const { configurations } = await admin.call(endpoints.querySrsConfigs, {});
    for (const { fileName, text } of configurations) writeFileSync(join(folder, fileName), text);
    run('srs-origin.conf');
    run('srs-edge.conf');
    await bothUp();
  });
  afterEach(stopAllFfmpeg);
  afterAll(async () => {
    await product?.stop();
    for (const fileName of running.keys()) await kill(fileName);
    rmSync(folder, { recursive: true, force: true });
  });

  test('is one stream with the viewers of both, and each viewer can be kicked on its server', async () => {
    publish('both');
    await rowWith('both', 0);
    const viewers = {
      origin: await play(`rtmp://127.0.0.1:${product.ports.rtmp}/live/both`),
      edge: await play(`rtmp://127.0.0.1:${product.ports.rtmp + 1}/live/both`),
      edgeFlv: await play(`http://127.0.0.1:${https[1]}/live/both.flv`),
      front: await play(`${product.url}/live/both.flv`),
    };
    const row = await rowWith('both', 4);
    expect(row).toMatchObject({ publisherProtocol: 'rtmp', viewersByProtocol: { rtmp: 2, flv: 2 } });
    const clients = await clientsOf(row);
    expect(clients.map(({ protocol, isPublisher }) => `${protocol} ${isPublisher}`).sort()).toEqual(
      ['flv false', 'flv false', 'rtmp false', 'rtmp false', 'rtmp true'].sort(),
    );
    for (const { id, isPublisher } of clients) {
      if (!isPublisher) await admin.call(endpoints.kickLiveClient, { id });
    }
    for (const [name, viewer] of Object.entries(viewers)) {
      await until(`the viewer of ${name} has ended`, () => viewer.exited.then(() => true));
    }
    await rowWith('both', 0);
  });

  test('HLS is that of the origin, and an unpublished stream is 404 although a viewer waits at the edge', async () => {
    publish('segments');
    await until('the playlist is there', async () => (await fetch(`${product.url}/live/segments.m3u8`)).ok);
    runFfmpeg(['-i', `rtmp://127.0.0.1:${product.ports.rtmp + 1}/live/nobody`, '-c', 'copy', '-f', 'null', '-']);
    await until('the edge has it', async () =>
      (await (await fetch(`http://${names[1]}/api/v1/streams/`)).text()).includes('"nobody"'),
    );
    expect((await fetch(`${product.url}/live/nobody.flv`)).status).toBe(404);
    expect(await rowsOf('nobody')).toEqual([]);
  });

  test('the origin authorizes a publisher at the edge, which counts as one publisher', async () => {
    const edge = product.ports.rtmp + 1;
    publish('far', edge);
    await rowWith('far', 0);
    await play(`rtmp://127.0.0.1:${edge}/live/far`);
    const row = await rowWith('far', 1);
    expect((await clientsOf(row)).map(({ isPublisher }) => isPublisher).sort()).toEqual([false, true]);
    const thief = publishTestSource(`rtmp://127.0.0.1:${edge}/live/thief?secret=wrong`, { video: {}, audio: {} });
    expect(await thief.exited).not.toBe(0);
    expect(await rowsOf('thief')).toEqual([]);
  });

  test('a kicked publisher is ended at the origin', async () => {
    const publisher = publish('kicked');
    await play(`rtmp://127.0.0.1:${product.ports.rtmp + 1}/live/kicked`);
    const { vhost, app } = await rowWith('kicked', 1);
    await admin.call(endpoints.kickStream, { vhost, app, stream: 'kicked' });
    expect(await publisher.exited).not.toBe(0);
    await until('it is not live', async () => (await rowsOf('kicked')).length === 0);
  });

  test('an unavailable edge is reported, the origin counts, and the edge returns by itself', async () => {
    publish('steady');
    await rowWith('steady', 0);
    await kill('srs-edge.conf');
    await until(
      'the edge is reported as unavailable',
      async () => JSON.stringify(await serversUp()) === '[true,false]',
    );
    await play(`${product.url}/live/steady.flv`);
    await rowWith('steady', 1);
    const { snapshot } = await admin.call(endpoints.queryMonitor, {});
    expect(snapshot.engine).toBe('up');
    run('srs-edge.conf');
    await bothUp();
    await play(`rtmp://127.0.0.1:${product.ports.rtmp + 1}/live/steady`);
    await rowWith('steady', 2);
    await until('the metrics include both', async () => {
      const { mediaServers } = (await admin.call(endpoints.queryMonitor, {})).snapshot;
      return mediaServers?.length === 2 && mediaServers.every(({ isUp, memoryBytes }) => isUp && memoryBytes > 0);
    });
  });
});
