// The matrix of slow peers (`patience.long.test.ts`) attacks one of two nodes of a cluster. The second node is slow, then stopped.
// A viewer at the slow node plays a copied stream, so the connection between the nodes carries unread media.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  hasRedis,
  startRedis,
  type TestRedis,
  testClusterSecret,
} from '../packages/platform/src/testing/redis-server.ts';
import { logIn } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { stopAllFfmpeg } from './support/ffmpeg.ts';
import { type FlvWatch, watchFlv } from './support/flv-watch.ts';
import { environmentOfListeners } from './support/patience/listeners.ts';
import { PatienceMatrix, patienceTimeoutMs } from './support/patience/matrix.ts';
import { SlowNode } from './support/patience/slow-node.ts';
import { AttackSources } from './support/patience/sources.ts';
import { type Environment, type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

const password = 'a password for nodes';
/** Number of tested attacks per situation, unless PATIENCE_CELLS is set. The attacks take a quarter of a minute. */
const usualCells = 4;

describe.skipIf(!hasRedis)('two nodes', () => {
  let sources: AttackSources;
  let redis: TestRedis;
  let browser: Browser;
  let product: Product;
  let other: Product;
  let otherNode: SlowNode;
  let watch: FlvWatch;
  let matrix: PatienceMatrix;

  beforeAll(async () => {
    sources = AttackSources.open();
    [redis, browser] = await Promise.all([startRedis(), launchChromium()]);
    let environment: Environment;
    [product, environment] = await startNode('a');
    [other] = await startNode('b');
    const { publishQuery } = await logIn(product, password);
    const { page } = await openPage(browser, 'en-US');
    matrix = await PatienceMatrix.open({ product, environment, gateways: 1, publishQuery, sources, page });
    const url = `${other.url}/live/lobby.flv`;
    await until('the other node has the stream', async () => (await fetch(url, { method: 'HEAD' })).ok);
    watch = await watchFlv(url);
    otherNode = new SlowNode(other.dataDir);
  });

  afterAll(async () => {
    otherNode?.resume();
    matrix?.close();
    watch?.close();
    await browser?.close();
    await stopAllFfmpeg();
    await Promise.all([product?.remove(), other?.remove()]);
    await redis?.dispose();
    sources?.close();
  });

  async function startNode(name: string): Promise<[Product, Environment]> {
    const environment = {
      ...(await environmentOfListeners(true)),
      ...{ CLUSTER_URL: redis.url, CLUSTER_SECRET: testClusterSecret, NODE_NAME: name, MGMT_PASSWORD: password },
      CLUSTER_ADVERTISE: '127.0.0.1',
    };
    return [await startProduct(environment), environment];
  }

  test('clients are not delayed by a slow node, nor by slow peers', {
    timeout: patienceTimeoutMs,
  }, async () => {
    otherNode.slowDown();
    expect(await matrix.tryCells('the other node is slow', usualCells)).toEqual([]);
  });

  test('clients are not delayed by a stopped node, nor by slow peers', {
    timeout: patienceTimeoutMs,
  }, async () => {
    otherNode.stop();
    expect(await matrix.tryCells('the other node is stopped', usualCells)).toEqual([]);
  });
});
