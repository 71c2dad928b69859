// Three nodes as on three machines: each in a network namespace with its own address, and only the settings required to join.
// One node is disconnected from the store and from all nodes for half a minute.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasRedis,
  startRedis,
  type TestRedis,
  testClusterSecret,
} from '../packages/platform/src/testing/redis-server.ts';
import { call } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { watchFlv } from './support/flv-watch.ts';
import { makeNamespaces, missingNamespaces, type Namespaces } from './support/namespaces.ts';
import { type Product, startProduct } from './support/product.ts';
import { testSourceArguments } from './support/test-source.ts';
import { until } from './support/until.ts';

const main = fileURLToPath(new URL('../packages/stack/src/main.ts', import.meta.url));
const password = 'a password for nodes';
const indexes = [0, 1, 2] as const;
/** Duration of the interruption, milliseconds: longer than the lifetime of a node's row and the delay until its data is removed. */
const cutMs = 30_000;
const missing = hasRedis ? missingNamespaces() : 'no redis-server';
const source = { video: {}, audio: {} };

describe.skipIf(missing !== undefined)(`three nodes in network namespaces (${missing ?? 'made'})`, () => {
  let redis: TestRedis;
  let spaces: Namespaces;
  let bearer: string;
  let secret: string;
  const products: Product[] = [];
  const encoders: ChildProcess[] = [];

  beforeAll(async () => {
    spaces = makeNamespaces(indexes.length);
    redis = await startRedis(['--bind', '0.0.0.0', '--protected-mode', 'no', '--appendonly', 'yes']);
    const start = async (index: number) => {
      const cluster = { CLUSTER_URL: `redis://${spaces.host}:${redis.port}`, CLUSTER_SECRET: testClusterSecret };
      const own = { NODE_NAME: `node ${index}`, CLUSTER_LISTEN: '2444' };
      const environment = { ...cluster, ...own, MGMT_PASSWORD: password };
      products[index] = await startProduct(environment, spaces.command(index, process.execPath, main));
    };
    await start(0);
    await Promise.all([start(1), start(2)]);
    ({ bearer } = await call(at(0), endpoints.login, { password }));
    ({ publish: secret } = await call(at(0), endpoints.queryPublishSecret, {}, bearer));
    await until('they know each other', async () => {
      const lists = await Promise.all(indexes.map(serversOf));
      return lists.every((each) => each.length === indexes.length && each.every(({ isUp }) => isUp));
    });
  }, 240_000);
  afterAll(async () => {
    for (const encoder of encoders) encoder.kill('SIGKILL');
    await stopAllFfmpeg();
    await Promise.all(products.map((product) => product.remove()));
    await redis?.dispose();
    spaces?.remove();
  });

  const at = (index: number) => ({ url: `http://${spaces.addressOf(index)}:${products[index]!.ports.http}` });
  const serversOf = async (index: number) =>
    (await call(at(index), endpoints.queryComponents, {}, bearer)).mediaServer.servers ?? [];
  const rtmpOf = (index: number, stream: string, host = spaces.addressOf(index)) =>
    `rtmp://${host}:${products[index]!.ports.rtmp}/live/${stream}?secret=${secret}`;
  const rowsOf = async (index: number, stream: string) =>
    (await call(at(index), endpoints.queryStreams, {}, bearer)).streams.filter((each) => each.stream === stream);

  /** Publishes from the namespace of the node, so only the network between nodes is interrupted. */
  async function publishInside(index: number, stream: string): Promise<void> {
    const target = ['-f', 'flv', rtmpOf(index, stream, '127.0.0.1')];
    const args = ['-hide_banner', '-nostdin', '-loglevel', 'error', ...(await testSourceArguments(source)), ...target];
    const [program, ...rest] = spaces.command(index, 'ffmpeg', ...args);
    encoders.push(spawn(program, rest, { stdio: 'ignore' }));
  }

  it('have one publisher again after one was disconnected for half a minute, with a correct table', async () => {
    await publishInside(0, 'torn');
    const first = await until('it is published', async () => (await rowsOf(2, 'torn'))[0]?.client_id);
    const viewer = await watchFlv(`${at(2).url}/live/torn.flv`);
    spaces.setCut(0, true);
    const cutAt = performance.now();
    const second = await until('another node admits a publisher', async () => {
      const run = publishTestSource(rtmpOf(1, 'torn'), source);
      return run.sending(25).then(
        () => run,
        () => undefined,
      );
    });
    viewer.forget();
    await until('a viewer of this node receives it', () => viewer.longestStepMs() > 0);
    expect(viewer.ended()).toBeUndefined();
    await until('the node is no longer shown', async () => (await serversOf(1)).length === 2);
    await delay(Math.max(0, cutMs - (performance.now() - cutAt)));
    spaces.setCut(0, false);
    expect(await second.exited).not.toBe(0);
    for (const index of indexes) {
      await until(`the table of node ${index} is correct`, async () => {
        const rows = await rowsOf(index, 'torn');
        return rows.length === 1 && rows[0]?.client_id === first;
      });
    }
    viewer.forget();
    await until('the viewer receives the remaining publisher', () => viewer.longestStepMs() > 0);
    expect(viewer.ended()).toBeUndefined();
    await until(
      'all are shown again',
      async () => (await serversOf(1)).every(({ isUp }) => isUp) && (await serversOf(1)).length === 3,
    );
    viewer.close();
  }, 240_000);
});
