// Two servers that share a store: a forward runs on one of them, goes to the other when its server is drained from the console and when
// the server dies, and the Cluster page tells of it.
import { endpoints } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasRedis,
  startRedis,
  type TestRedis,
  testClusterSecret,
} from '../packages/platform/src/testing/redis-server.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium } from './support/chromium.ts';
import { openConsole, textsOf } from './support/console.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { forwardRow, untilState } from './support/scenario-rows.ts';
import { until } from './support/until.ts';

const password = 'a password for two servers';

describe.skipIf(!hasRedis)('two servers that share a store', () => {
  let redis: TestRedis;
  let north: Product;
  let south: Product;
  let admin: Admin;
  let browser: Browser;
  const variables = (name: string) => ({
    ...{ CLUSTER_URL: redis.url, CLUSTER_SECRET: testClusterSecret, CLUSTER_LISTEN: 'off' },
    ...{ NODE_NAME: name, MGMT_PASSWORD: password },
  });
  beforeAll(async () => {
    redis = await startRedis();
    north = await startProduct(variables('north'));
    south = await startProduct(variables('south'));
    admin = await setUp(north, password);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await stopAllFfmpeg();
    await browser?.close();
    await Promise.all([north?.remove(), south?.remove()]);
    await redis?.dispose();
  });

  const nodes = async () => (await admin.call(endpoints.queryCluster, {})).nodes;
  const holder = async () => (await nodes()).find(({ tasks }) => tasks.vlive > 0)?.name;

  it('have each task once, and hand it over when one is drained, and when one dies', async () => {
    await until('both are nodes', async () => (await nodes()).length === 2);
    const source = north.rtmpUrl(`lobby?${admin.publishQuery}`);
    await publishTestSource(source, { video: {}, audio: {} }).sending(50);
    const target = { action: 'update', platform: 'forwarding-own', label: 'own', custom: true, enabled: true };
    const server = `rtmp://127.0.0.1:${north.ports.rtmp}/remote/`;
    await admin.call(endpoints.forwardSecret, { ...target, server, secret: `arrived?${admin.publishQuery}` });
    const row = () => forwardRow(admin, 'forwarding-own');
    await untilState('running', row);
    expect((await nodes()).map(({ name, tasks }) => [name, tasks.forward])).toEqual([
      ['north', 1],
      ['south', 0],
    ]);
    await drainInConsole();
  });

  async function drainInConsole(): Promise<void> {
    const text = textsOf('en', 'features/settings/cluster');
    const { page, errors, close } = await openConsole(browser, north, admin, 'en');
    await page.goto(`${north.url}/mgmt/en/routers-settings?tab=cluster`);
    const item = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await item('north').getByText(text('node.self')).waitFor();
    await item('south').getByText(text('state.running')).waitFor();
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
    await item('south').getByText(text('state.running')).waitFor();
    expect(errors).toEqual([]);
    await close();
  }
});
