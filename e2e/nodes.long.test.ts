// Three nodes of one cluster on one machine, each with its own data folder and ports. The connections between nodes can
// be interrupted. A stream published at one node plays at all nodes. Every console shows and kicks all clients. If two
// publishers send one stream, one stays.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  hasRedis,
  startRedis,
  type TestRedis,
  testClusterSecret,
} from '../packages/platform/src/testing/redis-server.ts';
import { type Admin, call } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { type CutLine, openCutLine } from './support/cut-line.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf, probe } from './support/ffprobe.ts';
import { type FlvWatch, watchFlv } from './support/flv-watch.ts';
import { freePort, portsToReturnTo } from './support/free-port.ts';
import { killProcessesOf } from './support/processes.ts';
import { type Environment, mediaServerClients, type Product, startProduct, startRefused } from './support/product.ts';
import { until } from './support/until.ts';
import { playByWhep } from './support/webrtc.ts';

const password = 'a password for nodes';
const names = ['a', 'b', 'c'] as const;
type Name = (typeof names)[number];
/** Media time that each player records, seconds. */
const seconds = 3;
/** Duration of a network interruption, milliseconds: longer than the timeout of a silent connection. */
const cutMs = 8_000;
/** Time until a killed node is removed, milliseconds. Its row in the store expires after ten seconds, its further data a little later. */
const forgottenWithinMs = 45_000;

interface Node {
  readonly environment: Environment;
  readonly line: CutLine;
  product: Product;
}

describe.skipIf(!hasRedis)('three nodes', { timeout: 240_000 }, () => {
  let redis: TestRedis;
  let browser: Browser;
  let folder: string;
  let publishQuery: string;
  let bearer: string;
  const nodes = new Map<Name, Node>();
  const watches: FlvWatch[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'srs-stack-nodes-'));
    redis = await startRedis();
    await startNode('a');
    await Promise.all([startNode('b'), startNode('c')]);
    const session = await call(at('a'), endpoints.login, { password });
    bearer = session.bearer;
    const { publish } = await console_('a').call(endpoints.queryPublishSecret, {});
    publishQuery = `secret=${publish}`;
    await until('they know each other', async () => {
      const servers = await Promise.all(names.map(async (name) => mediaServersOf(name)));
      return servers.every((each) => each.length === names.length && each.every(({ isUp }) => isUp));
    });
    browser = await launchChromium();
  }, 240_000);
  afterEach(async () => {
    for (const watch of watches.splice(0)) watch.close();
    await stopAllFfmpeg();
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([...nodes.values()].map(({ product }) => product.remove()));
    for (const { line } of nodes.values()) line.close();
    await redis?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startNode(name: Name): Promise<void> {
    const port = await freePort();
    const line = await openCutLine(port);
    const environment = {
      ...(await portsToReturnTo()),
      ...{ SRT_LISTEN: String(await freePort()), RTC_LISTEN: String(await freePort()), MGMT_PASSWORD: password },
      ...{ CLUSTER_URL: redis.url, CLUSTER_SECRET: testClusterSecret, NODE_NAME: name },
      ...{ CLUSTER_LISTEN: `127.0.0.1:${port}`, CLUSTER_ADVERTISE: `127.0.0.1:${line.port}` },
    };
    nodes.set(name, { environment, line, product: await startProduct(environment) });
  }
  const at = (name: Name): Product => nodes.get(name)!.product;
  const console_ = (name: Name): Pick<Admin, 'call'> => ({
    call: (endpoint, request) => call(at(name), endpoint, request, bearer),
  });
  const mediaServersOf = async (name: Name) =>
    (await console_(name).call(endpoints.queryComponents, {})).mediaServer.servers ?? [];
  const publish = (name: Name, stream: string) =>
    publishTestSource(at(name).rtmpUrl(`${stream}?${publishQuery}`), { video: {}, audio: {} });
  const publisherAt = async (name: Name, stream: string) =>
    (await mediaServerClients(at(name)).catch(() => [])).find(
      (client) => client.name === stream && client.type === 'fmle-publish',
    );
  const tableOf = async (name: Name) =>
    (await console_(name).call(endpoints.queryStreams, {})).streams.map(({ stream }) => stream).sort();
  const liveOf = async (name: Name, stream: string) => {
    const { streams } = await console_(name).call(endpoints.queryLive, {});
    return streams.find((each) => each.stream === stream);
  };
  async function watch(name: Name, stream: string): Promise<FlvWatch> {
    const url = `${at(name).url}/live/${stream}.flv`;
    await until(`${stream} can be watched at ${name}`, async () => (await fetch(url, { method: 'HEAD' })).ok);
    const watching = await watchFlv(url);
    watches.push(watching);
    return watching;
  }

  it('play streams published at one of them, over every output', async () => {
    await publish('a', 'everywhere').sending(25);
    for (const name of ['b', 'c'] as const) {
      const { url, ports } = at(name);
      await until(`HLS at ${name}`, async () => (await fetch(`${url}/live/everywhere.m3u8`)).ok);
      const addresses = {
        flv: `${url}/live/everywhere.flv`,
        ts: `${url}/live/everywhere.ts`,
        hls: `${url}/live/everywhere.m3u8`,
        rtmp: at(name).rtmpUrl('everywhere'),
        srt: `srt://127.0.0.1:${ports.srt}?mode=caller&streamid=#!::r=live/everywhere,m=request`,
      };
      const recordings = Object.entries(addresses).map(([output, address]) => {
        const file = join(folder, `${name}-${output}.nut`);
        return { output, file, run: runFfmpeg(['-i', address, '-t', String(seconds), '-c', 'copy', '-y', file]) };
      });
      for (const { output, file, run } of recordings) {
        expect(await run.exited, `${output} at ${name}: ${run.log()}`).toBe(0);
        const received = await probe(file);
        expect(packetsOf(received, 'video').length, `${output} at ${name}`).toBeGreaterThan(20);
        expect(packetsOf(received, 'audio').length, `${output} at ${name}`).toBeGreaterThan(20);
      }
      const { page } = await openPage(browser, 'en-US');
      await page.goto(`${url}/tools/player.html`);
      const played = await playByWhep(page, `${url}/rtc/v1/whep/?app=live&stream=everywhere`);
      expect(played).toMatchObject({ isBlack: false });
      await page.close();
    }
  });

  it('count and kick the viewers of all nodes in every console', async () => {
    await publish('b', 'counted').sending(25);
    const viewers = [await watch('a', 'counted'), await watch('b', 'counted'), await watch('c', 'counted')];
    for (const name of names) {
      await until(
        `the console of ${name} counts all viewers`,
        async () => (await liveOf(name, 'counted'))?.viewers === 3,
      );
      expect(await tableOf(name)).toContain('counted');
    }
    const streamId = (await liveOf('c', 'counted'))!.id;
    const { clients } = await console_('c').call(endpoints.queryLiveClients, { streamId });
    const players = clients.filter(({ isPublisher }) => !isPublisher);
    expect(players).toHaveLength(3);
    for (const { id } of players) await console_('c').call(endpoints.kickLiveClient, { id });
    await until('all are gone', () => viewers.every((each) => each.ended() !== undefined));
    expect(await publish('c', 'counted').exited, 'a second publisher at another node').not.toBe(0);
    expect(await publisherAt('b', 'counted')).toBeDefined();
  });

  it('keep one of two publishers that connect to two of them simultaneously', async () => {
    for (const round of [1, 2, 3]) {
      const stream = `race-${round}`;
      const runs = [publish('a', stream), publish('b', stream)];
      const left = await until('one is left', async () => {
        const publishers = await Promise.all([publisherAt('a', stream), publisherAt('b', stream)]);
        const stays = publishers.filter((each) => each !== undefined);
        const rows = await Promise.all(
          names.map(async (name) => (await tableOf(name)).filter((row) => row === stream)),
        );
        return stays.length === 1 && rows.every((each) => each.length === 1) ? stays[0] : undefined;
      });
      // One encoder is disconnected and exits with an error; the remaining encoder continues.
      expect(await Promise.race(runs.map(({ exited }) => exited))).not.toBe(0);
      await until('it sends', async () => {
        const publishers = await Promise.all([publisherAt('a', stream), publisherAt('b', stream)]);
        return publishers.some((each) => each && each.id === left.id && each.recv_bytes > left.recv_bytes);
      });
    }
  });

  it('have one publisher again after a network split in which each admitted one, with a correct table', async () => {
    await publish('a', 'torn').sending(25);
    const viewer = await watch('b', 'torn');
    for (const { line } of nodes.values()) line.isCut = true;
    const cutAt = performance.now();
    // The encoder retries until the silent node has been removed after some seconds.
    const second = await until('b admits a publisher', async () => {
      const run = publish('b', 'torn');
      return run.sending(25).then(
        () => run,
        () => undefined,
      );
    });
    expect(await publisherAt('a', 'torn')).toBeDefined();
    await delay(Math.max(0, cutMs - (performance.now() - cutAt)));
    for (const { line } of nodes.values()) line.isCut = false;
    expect(await second.exited).not.toBe(0);
    expect(await publisherAt('b', 'torn')).toBeUndefined();
    const first = await publisherAt('a', 'torn');
    for (const name of names) {
      await until(`the table of ${name} is correct`, async () => {
        const { streams } = await console_(name).call(endpoints.queryStreams, {});
        const rows = streams.filter(({ stream }) => stream === 'torn');
        return rows.length === 1 && rows[0]?.client_id === first?.id;
      });
    }
    viewer.forget();
    await until('a viewer of the other node receives the remaining publisher', () => viewer.longestStepMs() > 0);
    expect(viewer.ended()).toBeUndefined();
    await until('and the console counts it', async () => (await liveOf('c', 'torn'))?.viewers === 1);
  });

  it('continue without a killed node, and with it after its return', async () => {
    await publish('a', 'orphan').sending(25);
    await publish('b', 'survivor').sending(25);
    const viewers = [await watch('b', 'orphan'), await watch('c', 'survivor')];
    await killProcessesOf(at('a').dataDir);
    expect(await publish('c', 'orphan').sending(25)).toBeUndefined();
    viewers[0]!.forget();
    await until('a waiting viewer receives it again', () => viewers[0]!.longestStepMs() > 0);
    expect(viewers.map((each) => each.ended())).toEqual([undefined, undefined]);
    expect(viewers[1]!.longestPauseMs()).toBeLessThan(2_000);
    const killedAt = performance.now();
    await until('it is no longer shown', async () => (await mediaServersOf('b')).length === 2);
    expect(performance.now() - killedAt).toBeLessThan(forgottenWithinMs);
    expect(await tableOf('b')).toEqual(['orphan', 'survivor']);
    const { environment, product, line } = nodes.get('a')!;
    const again = await startProduct({ ...environment, DATA_DIR: product.dataDir });
    nodes.set('a', { environment, line, product: again });
    await until('it is shown again', async () => {
      const servers = await mediaServersOf('b');
      return servers.length === 3 && servers.every(({ isUp }) => isUp);
    });
    await watch('a', 'survivor');
    expect(await tableOf('a')).toEqual(['orphan', 'survivor']);
  });

  it('drop the streams of a killed node that does not return', async () => {
    await publish('c', 'lost').sending(25);
    await until('all know of it', async () => (await tableOf('b')).includes('lost'));
    await killProcessesOf(at('c').dataDir);
    await until('it is no longer in the table', async () => !(await tableOf('b')).includes('lost'));
  });

  it('admit no node with another secret', async () => {
    const { environment } = nodes.get('b')!;
    const dataDir = join(folder, 'stranger');
    const secret = { CLUSTER_SECRET: 'another secret of letters', CLUSTER_LISTEN: `127.0.0.1:${await freePort()}` };
    const own = { ...environment, ...(await portsToReturnTo()), SRT_LISTEN: '0', RTC_LISTEN: '0', ...secret };
    const { exitCode, output } = await startRefused({ ...own, DATA_DIR: dataDir });
    expect(exitCode).not.toBe(0);
    expect(output).toContain('CLUSTER_SECRET does not match the store');
  });
});
