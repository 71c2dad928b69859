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
import { type Admin, logIn } from './support/api.ts';
import { launchChromium } from './support/chromium.ts';
import { openConsole, textsOf } from './support/console.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { forwardRow, untilState, vliveRow } from './support/scenario-rows.ts';
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
    // One task each, so that the second goes to the other one.
    north = await startProduct({ ...variables('north'), WORKER_SLOTS: '1' });
    south = await startProduct(variables('south'));
    admin = await logIn(north, password);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await stopAllFfmpeg();
    await browser?.close();
    await Promise.all([north?.remove(), south?.remove()]);
    await redis?.dispose();
  });

  const nodes = async () => (await admin.call(endpoints.queryCluster, {})).nodes;
  const tasks = async (name: string) => (await nodes()).find((node) => node.name === name)?.tasks;
  const forward = () => forwardRow(admin, 'forwarding-own');
  const relay = () => vliveRow(admin, 'wx');
  const target = (stream: string) => ({
    ...{ action: 'update', custom: true, label: 'own', enabled: true },
    ...{ server: `rtmp://127.0.0.1:${north.ports.rtmp}/remote/`, secret: `${stream}?${admin.publishQuery}` },
  });

  it('have each task once, and hand them over when one is drained, and when one dies', async () => {
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

    // Killed, its control plane is started again and has its task at once; the FFmpeg of the one before is gone.
    await untilState('running', relay);
    const { pid } = await relay();
    await south.kill('platform');
    await until('another process', async () => (await untilState('running', relay)).pid !== pid);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await tasks('south')).toMatchObject({ vlive: 1 });

    // The server itself: the other one has room for its task now.
    await admin.call(endpoints.removeForward, { platform: 'forwarding-own' });
    await south.killSupervisor();
    await until('the other server has it', async () => (await tasks('north'))?.vlive === 1);
    await untilState('running', relay);
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
